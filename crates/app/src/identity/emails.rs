//! Writes the emails about codes, in the recipient's language.

use super::code_texts::{UseTexts, code_texts};
use crate::mail::EmailMessage;

/// What a code does. The email says it, so that no one can be talked into giving away a code without knowing what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeUse {
    Registration,
    /// Resetting a forgotten login password.
    LoginPassword,
    /// Changing the security password or the receiving address without the security password.
    SecuritySettings,
    /// Confirming the new email address of an account.
    NewEmail,
}

/// Writes the email that contains a code; in English if the language is unknown.
pub(super) fn code_message(to: &str, code: &str, used_for: CodeUse, language: &str) -> EmailMessage {
    let texts = code_texts(language);
    let UseTexts { what, not_you } = match used_for {
        CodeUse::Registration => &texts.registration,
        CodeUse::LoginPassword => &texts.login_password,
        CodeUse::SecuritySettings => &texts.security_settings,
        CodeUse::NewEmail => &texts.new_email,
    };
    EmailMessage {
        to: to.to_owned(),
        subject: format!("MEC2C: {what} ({code})"),
        text: format!("{what}\n\n    {code}\n\n{}\n{not_you}\n", texts.warning),
    }
}

/// Writes the notice that someone tried to register with the recipient's address.
pub(super) fn already_registered_message(to: &str, language: &str) -> EmailMessage {
    let (subject, lines) = match language {
        "zh_CN" => (
            "您已有 MEC2C 账户",
            [
                "有人想用此邮箱注册 MEC2C 账户，但该邮箱已有账户，因此没有创建新账户。",
                "如果是您本人操作，请直接登录。忘记密码时，请在登录页面选择“忘记密码”。",
                "如果不是您本人操作，请忽略此邮件，您的账户没有任何变化。",
            ],
        ),
        "zh_TW" => (
            "您已有 MEC2C 帳戶",
            [
                "有人想用此電子郵件註冊 MEC2C 帳戶，但該電子郵件已有帳戶，因此沒有建立新帳戶。",
                "如果是您本人操作，請直接登入。忘記密碼時，請在登入頁面選擇「忘記密碼」。",
                "如果不是您本人操作，請忽略此郵件，您的帳戶沒有任何變化。",
            ],
        ),
        "ko_KR" => (
            "이미 MEC2C 계정이 있습니다",
            [
                "이 이메일로 MEC2C 계정을 새로 만들려는 요청이 있었습니다. 이미 계정이 있으므로 새 계정은 만들어지지 않았습니다.",
                "직접 요청하셨다면 로그인해 주세요. 비밀번호를 잊으셨다면 로그인 화면에서 비밀번호를 재설정할 수 있습니다.",
                "직접 요청하지 않았다면 이 메일을 무시해 주세요. 계정에는 아무 변화가 없습니다.",
            ],
        ),
        "ko_KP" => (
            "이미 MEC2C 구좌가 있습니다",
            [
                "이 전자우편주소로 MEC2C 구좌를 새로 만들려는 요청이 있었습니다. 이미 구좌가 있으므로 새 구좌는 만들어지지 않았습니다.",
                "직접 요청하였다면 가입하여 들어가십시오. 통과암호를 잊었다면 가입화면에서 다시 설정할수 있습니다.",
                "직접 요청하지 않았다면 이 우편을 무시하십시오. 구좌에는 아무런 변화도 없습니다.",
            ],
        ),
        "vi_VN" => (
            "Bạn đã có tài khoản MEC2C",
            [
                "Có người muốn đăng ký tài khoản MEC2C bằng địa chỉ e-mail này. Địa chỉ này đã có tài khoản nên không có tài khoản mới nào được tạo.",
                "Nếu đó là bạn, hãy đăng nhập. Nếu quên mật khẩu, bạn có thể đặt lại ở trang đăng nhập.",
                "Nếu không phải bạn yêu cầu, hãy bỏ qua thư này. Tài khoản của bạn không có gì thay đổi.",
            ],
        ),
        "th_TH" => (
            "คุณมีบัญชี MEC2C อยู่แล้ว",
            [
                "มีผู้ขอสมัครบัญชี MEC2C ด้วยอีเมลนี้ แต่อีเมลนี้มีบัญชีอยู่แล้ว จึงไม่มีการสร้างบัญชีใหม่",
                "หากเป็นคุณ โปรดเข้าสู่ระบบ หากลืมรหัสผ่าน คุณตั้งรหัสผ่านใหม่ได้ที่หน้าเข้าสู่ระบบ",
                "หากคุณไม่ได้ขอ โปรดเพิกเฉยต่ออีเมลนี้ บัญชีของคุณไม่มีการเปลี่ยนแปลง",
            ],
        ),
        "tr_TR" => (
            "Zaten bir MEC2C hesabınız var",
            [
                "Birisi bu e-posta adresiyle MEC2C hesabı açmak istedi. Bu adresin zaten bir hesabı olduğu için yeni hesap açılmadı.",
                "İsteyen sizseniz giriş yapın. Şifrenizi unuttuysanız giriş sayfasından sıfırlayabilirsiniz.",
                "Bunu siz istemediyseniz bu iletiyi yok sayın. Hesabınızda hiçbir şey değişmedi.",
            ],
        ),
        "es_ES" => (
            "Ya tienes una cuenta de MEC2C",
            [
                "Alguien ha pedido registrar una cuenta de MEC2C con esta dirección de correo. Como ya tiene una cuenta, no se ha creado ninguna nueva.",
                "Si has sido tú, inicia sesión. Si has olvidado la contraseña, puedes restablecerla en la página de inicio de sesión.",
                "Si no lo has pedido tú, ignora este mensaje. Tu cuenta no ha cambiado.",
            ],
        ),
        "pt_PT" => (
            "Já tem uma conta MEC2C",
            [
                "Alguém pediu o registo de uma conta MEC2C com este endereço de e-mail. Como o endereço já tem uma conta, não foi criada nenhuma nova.",
                "Se foi o próprio, inicie sessão. Se esqueceu a palavra-passe, pode redefini-la na página de início de sessão.",
                "Se não foi o próprio a pedi-lo, ignore esta mensagem. A sua conta não sofreu alterações.",
            ],
        ),
        _ => (
            "You already have a MEC2C account",
            [
                "Someone asked to create a MEC2C account with this email address. The address already has an account, so no new one was created.",
                "If this was you, log in. If you forgot your password, you can reset it on the login page.",
                "If you didn’t request it, ignore this email. Nothing about your account has changed.",
            ],
        ),
    };
    EmailMessage { to: to.to_owned(), subject: subject.to_owned(), text: format!("{}\n", lines.join("\n\n")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const LANGUAGES: [&str; 10] =
        ["en_US", "zh_CN", "zh_TW", "ko_KR", "ko_KP", "vi_VN", "th_TH", "tr_TR", "es_ES", "pt_PT"];
    const USES: [CodeUse; 4] =
        [CodeUse::Registration, CodeUse::LoginPassword, CodeUse::SecuritySettings, CodeUse::NewEmail];

    #[test]
    fn an_email_with_a_code_says_what_the_code_does_in_every_language() {
        let messages = LANGUAGES.map(|language| USES.map(|used| code_message("a@b.cc", "012345", used, language)));
        let messages = messages.as_flattened();
        for message in messages {
            let (what, _) = message.text.split_once("\n\n    012345\n\n").unwrap();
            assert_eq!(message.subject, format!("MEC2C: {what} (012345)"));
        }
        let count = LANGUAGES.len() * USES.len();
        assert_eq!(messages.iter().map(|message| &message.subject).collect::<BTreeSet<_>>().len(), count);
        assert_eq!(
            messages.iter().filter_map(|message| message.text.lines().last()).collect::<BTreeSet<_>>().len(),
            count
        );
    }

    #[test]
    fn an_unknown_language_is_english() {
        let [english, unknown] = ["en_US", "xx"].map(|language| code_message("", "", CodeUse::NewEmail, language));
        assert_eq!(english, unknown);
    }
}
