//! The letter with a code, in the reader's language.

use super::ports::Letter;

/// The letter with a code. A language that is not known reads English.
pub(super) fn code_letter(to: &str, code: &str, language: &str) -> Letter {
    let (subject, lines) = match language {
        "zh_CN" => (
            "MEC2C 验证码",
            [
                "您的验证码是：",
                "十分钟内有效。请勿告诉任何人，包括自称客服的人。",
                "如果不是您本人操作，请忽略此邮件。",
            ],
        ),
        "zh_TW" => (
            "MEC2C 驗證碼",
            [
                "您的驗證碼是：",
                "十分鐘內有效。請勿告訴任何人，包括自稱客服的人。",
                "如果不是您本人操作，請忽略此郵件。",
            ],
        ),
        "ko_KR" => (
            "MEC2C 인증 코드",
            [
                "인증 코드:",
                "10분 동안 유효합니다. 고객센터라고 하는 사람을 포함해 누구에게도 알리지 마세요.",
                "직접 요청하지 않았다면 이 메일을 무시해 주세요.",
            ],
        ),
        "ko_KP" => (
            "MEC2C 확인부호",
            [
                "확인부호:",
                "10분동안 유효합니다. 봉사원이라고 하는 사람을 포함하여 누구에게도 알리지 마십시오.",
                "직접 요청하지 않았다면 이 우편을 무시하십시오.",
            ],
        ),
        "vi_VN" => (
            "Mã xác minh MEC2C",
            [
                "Mã xác minh của bạn:",
                "Có hiệu lực trong mười phút. Đừng cho ai biết, kể cả người tự xưng là bộ phận hỗ trợ.",
                "Nếu không phải bạn yêu cầu, hãy bỏ qua thư này.",
            ],
        ),
        "th_TH" => (
            "รหัสยืนยัน MEC2C",
            ["รหัสยืนยันของคุณ:", "ใช้ได้ภายในสิบนาที อย่าบอกใคร แม้ผู้ที่อ้างว่าเป็นฝ่ายบริการลูกค้า", "หากคุณไม่ได้ขอรหัสนี้ โปรดเพิกเฉยต่ออีเมลนี้"],
        ),
        "tr_TR" => (
            "MEC2C doğrulama kodu",
            [
                "Doğrulama kodunuz:",
                "On dakika geçerlidir. Destek olduğunu söyleyenler dahil kimseye söylemeyin.",
                "Bunu siz istemediyseniz bu iletiyi yok sayın.",
            ],
        ),
        "es_ES" => (
            "Código de verificación de MEC2C",
            [
                "Tu código de verificación:",
                "Vale diez minutos. No se lo digas a nadie, tampoco a quien diga ser de atención al cliente.",
                "Si no lo has pedido tú, ignora este mensaje.",
            ],
        ),
        "pt_PT" => (
            "Código de verificação MEC2C",
            [
                "O seu código de verificação:",
                "É válido durante dez minutos. Não o diga a ninguém, nem a quem diga ser do apoio ao cliente.",
                "Se não foi o próprio a pedi-lo, ignore esta mensagem.",
            ],
        ),
        _ => (
            "MEC2C verification code",
            [
                "Your verification code:",
                "It’s valid for ten minutes. Don’t share it with anyone, even someone claiming to be from support.",
                "If you didn’t request it, ignore this email.",
            ],
        ),
    };
    let [intro, warning, ignore] = lines;
    Letter {
        to: to.to_owned(),
        subject: format!("{subject}: {code}"),
        text: format!("{intro}\n\n    {code}\n\n{warning}\n{ignore}\n"),
    }
}
