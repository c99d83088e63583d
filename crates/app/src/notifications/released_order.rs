//! Writes the email to an advertiser whose account is on hold, about an automatic order whose coins were released meanwhile.

use domain::ids::{AdvertId, OrderId};

use crate::mail::EmailMessage;

/// The order, as the email shows it.
pub(super) struct ReleasedOrder {
    pub(super) order: OrderId,
    pub(super) advert: AdvertId,
    /// Amount and code of the base, such as `4 MEC`.
    pub(super) base: String,
    /// Amount and code of the quote.
    pub(super) quote: String,
}

/// Writes the email in the recipient's language; in English if the language is unknown.
pub(super) fn released_order_message(to: &str, released: &ReleasedOrder, language: &str) -> EmailMessage {
    let (subject, [intro, yours, not_yours]) = match language {
        "zh_CN" => (
            "MEC2C：您的账户处于保护期，一笔自动订单已放币",
            [
                "您的账户处于保护期，期间自动订单照常进行。以下订单刚刚放币：",
                "如果账户资料是您本人变更的，您无需任何操作。",
                "如果不是您本人变更的，说明他人掌握了您的密码或邮箱。请立即在登录页面用通行证重置密码：这会结束所有会话，且不需要邮箱。然后把订单编号告知客服。",
            ],
        ),
        "zh_TW" => (
            "MEC2C：您的帳戶處於保護期，一筆自動訂單已放幣",
            [
                "您的帳戶處於保護期，期間自動訂單照常進行。以下訂單剛剛放幣：",
                "如果帳戶資料是您本人變更的，您無需任何操作。",
                "如果不是您本人變更的，表示他人掌握了您的密碼或電子郵件。請立即在登入頁面用通行證重設密碼：這會結束所有工作階段，且不需要電子郵件。然後把訂單編號告知客服。",
            ],
        ),
        "ko_KR" => (
            "MEC2C: 계정 보호 기간 중 자동 주문의 코인이 지급되었습니다",
            [
                "회원님의 계정은 보호 기간 중이며, 자동 주문은 그동안에도 계속 진행됩니다. 방금 다음 주문의 코인이 지급되었습니다.",
                "계정 정보를 직접 변경하셨다면 아무것도 하지 않으셔도 됩니다.",
                "직접 변경하지 않으셨다면 다른 사람이 비밀번호나 메일함을 알고 있는 것입니다. 지금 바로 로그인 화면에서 패스로 비밀번호를 재설정하세요. 모든 세션이 종료되며 메일함은 필요하지 않습니다. 그런 다음 고객센터에 주문 번호를 알려 주세요.",
            ],
        ),
        "ko_KP" => (
            "MEC2C: 구좌보호기간에 자동주문의 코인이 지불되였습니다",
            [
                "당신의 구좌는 보호기간에 있으며 그동안에도 자동주문은 계속 진행됩니다. 방금 다음 주문의 코인이 지불되였습니다.",
                "구좌정보를 본인이 변경하였다면 아무것도 하지 않아도 됩니다.",
                "본인이 변경하지 않았다면 다른 사람이 통과암호나 우편함을 알고있는것입니다. 즉시 가입화면에서 통행증으로 통과암호를 다시 설정하십시오. 모든 접속이 끝나며 우편함은 필요하지 않습니다. 그다음 봉사원에게 주문번호를 알려주십시오.",
            ],
        ),
        "vi_VN" => (
            "MEC2C: một lệnh tự động đã giải phóng coin khi tài khoản của bạn bị tạm giữ",
            [
                "Tài khoản của bạn đang bị tạm giữ. Các lệnh tự động vẫn tiếp tục trong thời gian đó. Coin của lệnh sau vừa được giải phóng:",
                "Nếu chính bạn đã thay đổi tài khoản, bạn không cần làm gì.",
                "Nếu không phải bạn, có người đang biết mật khẩu hoặc vào được hộp thư của bạn. Hãy đặt lại mật khẩu bằng thẻ định danh ở trang đăng nhập ngay: mọi phiên sẽ kết thúc và không cần hộp thư. Sau đó hãy báo mã lệnh cho bộ phận hỗ trợ.",
            ],
        ),
        "th_TH" => (
            "MEC2C: คำสั่งซื้ออัตโนมัติปล่อยเหรียญแล้วระหว่างที่บัญชีของคุณถูกพัก",
            [
                "บัญชีของคุณถูกพักไว้ชั่วคราว แต่คำสั่งซื้ออัตโนมัติยังดำเนินต่อไป เหรียญของคำสั่งซื้อนี้เพิ่งถูกปล่อย:",
                "หากคุณเปลี่ยนข้อมูลบัญชีเอง คุณไม่ต้องทำอะไร",
                "หากไม่ใช่คุณ แสดงว่ามีผู้อื่นรู้รหัสผ่านหรือเข้าถึงกล่องจดหมายของคุณ โปรดตั้งรหัสผ่านใหม่ด้วยพาสที่หน้าเข้าสู่ระบบทันที ทุกเซสชันจะสิ้นสุดลงและไม่ต้องใช้กล่องจดหมาย จากนั้นแจ้งหมายเลขคำสั่งซื้อให้ฝ่ายบริการลูกค้า",
            ],
        ),
        "tr_TR" => (
            "MEC2C: hesabınız korumadayken otomatik bir emrin coinleri serbest bırakıldı",
            [
                "Hesabınız koruma süresinde. Otomatik emirler bu sürede devam eder. Şu emrin coinleri az önce serbest bırakıldı:",
                "Hesabınızı siz değiştirdiyseniz bir şey yapmanız gerekmez.",
                "Siz değiştirmediyseniz şifreniz veya posta kutunuz başkasının elinde. Giriş sayfasında şifrenizi hemen kimlik uygulamasıyla sıfırlayın: tüm oturumlar kapanır ve posta kutusu gerekmez. Ardından emir numarasını desteğe bildirin.",
            ],
        ),
        "es_ES" => (
            "MEC2C: una orden automática ha liberado monedas con tu cuenta retenida",
            [
                "Tu cuenta está retenida. Las órdenes automáticas siguen mientras tanto. Se acaban de liberar las monedas de esta orden:",
                "Si has cambiado tú la cuenta, no tienes que hacer nada.",
                "Si no has sido tú, otra persona tiene tu contraseña o tu buzón. Restablece ya la contraseña con el pase en la página de inicio de sesión: cierra todas las sesiones y no necesita el buzón. Después comunica el número de la orden a atención al cliente.",
            ],
        ),
        "pt_PT" => (
            "MEC2C: uma ordem automática libertou moedas com a sua conta retida",
            [
                "A sua conta está retida. As ordens automáticas continuam entretanto. As moedas desta ordem acabam de ser libertadas:",
                "Se foi o próprio a alterar a conta, não precisa de fazer nada.",
                "Se não foi, outra pessoa tem a sua palavra-passe ou a sua caixa de correio. Redefina já a palavra-passe com o passe na página de início de sessão: termina todas as sessões e não precisa da caixa de correio. Depois comunique o número da ordem ao apoio ao cliente.",
            ],
        ),
        _ => (
            "MEC2C: an automatic order was released while your account is on hold",
            [
                "Your account is on hold. Automatic orders go on meanwhile. The coins of this order have just been released:",
                "If you changed your account yourself, you don’t need to do anything.",
                "If you didn’t, someone else has your password or your mailbox. Reset your password with the pass on the login page now: this ends all sessions and doesn’t need the mailbox. Then tell customer service the order ID.",
            ],
        ),
    };
    let ReleasedOrder { order: order_id, advert: advert_id, base, quote } = released;
    let [order, advert, amount] = labels(language);
    let facts = format!("    {order}: {order_id}\n    {advert}: {advert_id}\n    {amount}: {base}, {quote}");
    EmailMessage {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text: format!("{intro}\n\n{facts}\n\n{yours}\n{not_yours}\n"),
    }
}

/// Returns the labels of the order, the advert and the amounts.
fn labels(language: &str) -> [&'static str; 3] {
    match language {
        "zh_CN" => ["订单编号", "广告编号", "数量与总额"],
        "zh_TW" => ["訂單編號", "廣告編號", "數量與總額"],
        "ko_KR" => ["주문 번호", "광고 번호", "수량과 총액"],
        "ko_KP" => ["주문번호", "광고번호", "수량과 총액"],
        "vi_VN" => ["Mã lệnh", "Mã quảng cáo", "Số lượng và tổng tiền"],
        "th_TH" => ["หมายเลขคำสั่งซื้อ", "หมายเลขประกาศ", "จำนวนและยอดรวม"],
        "tr_TR" => ["Emir numarası", "İlan numarası", "Miktar ve toplam"],
        "es_ES" => ["Número de la orden", "Número del anuncio", "Cantidad y total"],
        "pt_PT" => ["Número da ordem", "Número do anúncio", "Quantidade e total"],
        _ => ["Order ID", "Ad ID", "Amount and total"],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_email_about_a_released_order_is_written_in_every_language() {
        let (order, advert) = (OrderId(Uuid::from_u128(1)), AdvertId(Uuid::from_u128(2)));
        let released = ReleasedOrder { order, advert, base: "4 MEC".to_owned(), quote: "10 USDT".to_owned() };
        let languages = ["en_US", "zh_CN", "zh_TW", "ko_KR", "ko_KP", "vi_VN", "th_TH", "tr_TR", "es_ES", "pt_PT"];
        let messages = languages.map(|language| released_order_message("anna@example.org", &released, language));
        for message in &messages {
            for fact in [order.to_string(), advert.to_string(), "4 MEC".to_owned(), "10 USDT".to_owned()] {
                assert!(message.text.contains(&fact), "{message:?}");
            }
        }
        let subjects: BTreeSet<_> = messages.iter().map(|message| &message.subject).collect();
        assert_eq!(subjects.len(), languages.len());
        let [english, ..] = messages;
        assert_eq!(english, released_order_message("anna@example.org", &released, ""), "English if unknown");
    }
}
