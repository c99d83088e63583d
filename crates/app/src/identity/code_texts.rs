//! The texts of emails that contain codes, in each language.

pub(super) struct CodeTexts {
    pub(super) registration: UseTexts,
    pub(super) login_password: UseTexts,
    pub(super) security_settings: UseTexts,
    pub(super) new_email: UseTexts,
    /// For how long the code is valid, and that no one else may have it.
    pub(super) warning: &'static str,
}

/// The texts about one use of a code.
pub(super) struct UseTexts {
    /// What the code does.
    pub(super) what: &'static str,
    /// What the recipient should do if they did not request it.
    pub(super) not_you: &'static str,
}

/// Returns the texts of a language; the English ones if it is unknown.
pub(super) fn code_texts(language: &str) -> &'static CodeTexts {
    match language {
        "zh_CN" => &ZH_CN,
        "zh_TW" => &ZH_TW,
        "ko_KR" => &KO_KR,
        "ko_KP" => &KO_KP,
        "vi_VN" => &VI_VN,
        "th_TH" => &TH_TH,
        "tr_TR" => &TR_TR,
        "es_ES" => &ES_ES,
        "pt_PT" => &PT_PT,
        _ => &EN,
    }
}

static EN: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "Your code to create an account",
        not_you: "If you didn’t request it, ignore this email: without the code, no account is created.",
    },
    login_password: UseTexts {
        what: "Your code to reset your login password",
        not_you: "If you didn’t request it, someone else has entered your email address. Your password stays the same as long as no one else has this code.",
    },
    security_settings: UseTexts {
        what: "Your code to change your security password or receiving address",
        not_you: "If you didn’t request it, someone else is logged in to your account. Reset your login password with the pass on the login page now: this ends all sessions.",
    },
    new_email: UseTexts {
        what: "Your code to confirm your new email address",
        not_you: "If you didn’t request it, someone may have entered your email address by mistake. Ignore this email: without the code, your address isn’t used.",
    },
    warning: "It’s valid for ten minutes. Don’t share it with anyone, even someone claiming to be from support.",
};

static ZH_CN: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "您注册账户的验证码",
        not_you: "如果不是您本人操作，请忽略此邮件：没有此验证码就不会创建账户。",
    },
    login_password: UseTexts {
        what: "您重置登录密码的验证码",
        not_you: "如果不是您本人操作，说明他人输入了您的邮箱。只要他人没有此验证码，您的密码就不会改变。",
    },
    security_settings: UseTexts {
        what: "您修改安全密码或收款地址的验证码",
        not_you: "如果不是您本人操作，说明他人已登录您的账户。请立即在登录页面用通行证重置登录密码：这会结束所有会话。",
    },
    new_email: UseTexts {
        what: "您确认新邮箱的验证码",
        not_you: "如果不是您本人操作，可能是他人误填了您的邮箱。请忽略此邮件：没有此验证码，您的邮箱就不会被使用。",
    },
    warning: "十分钟内有效。请勿告诉任何人，包括自称客服的人。",
};

static ZH_TW: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "您註冊帳戶的驗證碼",
        not_you: "如果不是您本人操作，請忽略此郵件：沒有此驗證碼就不會建立帳戶。",
    },
    login_password: UseTexts {
        what: "您重設登入密碼的驗證碼",
        not_you: "如果不是您本人操作，表示他人輸入了您的電子郵件。只要他人沒有此驗證碼，您的密碼就不會改變。",
    },
    security_settings: UseTexts {
        what: "您變更安全密碼或收款地址的驗證碼",
        not_you: "如果不是您本人操作，表示他人已登入您的帳戶。請立即在登入頁面用通行證重設登入密碼：這會結束所有工作階段。",
    },
    new_email: UseTexts {
        what: "您確認新電子郵件的驗證碼",
        not_you: "如果不是您本人操作，可能是他人誤填了您的電子郵件。請忽略此郵件：沒有此驗證碼，您的電子郵件就不會被使用。",
    },
    warning: "十分鐘內有效。請勿告訴任何人，包括自稱客服的人。",
};

static KO_KR: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "계정을 만들기 위한 인증 코드",
        not_you: "직접 요청하지 않으셨다면 이 메일을 무시해 주세요. 이 코드가 없으면 계정이 만들어지지 않습니다.",
    },
    login_password: UseTexts {
        what: "로그인 비밀번호 재설정을 위한 인증 코드",
        not_you: "직접 요청하지 않으셨다면 다른 사람이 회원님의 이메일 주소를 입력한 것입니다. 다른 사람이 이 코드를 모르는 한 비밀번호는 바뀌지 않습니다.",
    },
    security_settings: UseTexts {
        what: "보안 비밀번호 또는 수신 주소 변경을 위한 인증 코드",
        not_you: "직접 요청하지 않으셨다면 다른 사람이 회원님의 계정에 로그인해 있는 것입니다. 지금 바로 로그인 화면에서 패스로 로그인 비밀번호를 재설정하세요. 모든 세션이 종료됩니다.",
    },
    new_email: UseTexts {
        what: "새 이메일 주소 확인을 위한 인증 코드",
        not_you: "직접 요청하지 않으셨다면 다른 사람이 실수로 회원님의 이메일 주소를 입력했을 수 있습니다. 이 메일을 무시해 주세요. 이 코드가 없으면 주소는 사용되지 않습니다.",
    },
    warning: "10분 동안 유효합니다. 고객센터라고 하는 사람을 포함해 누구에게도 알리지 마세요.",
};

static KO_KP: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "구좌를 만들기 위한 확인부호",
        not_you: "직접 요청하지 않았다면 이 우편을 무시하십시오. 이 부호가 없으면 구좌가 만들어지지 않습니다.",
    },
    login_password: UseTexts {
        what: "가입통과암호를 다시 설정하기 위한 확인부호",
        not_you: "직접 요청하지 않았다면 다른 사람이 당신의 전자우편주소를 입력한것입니다. 다른 사람이 이 부호를 모르는 한 통과암호는 바뀌지 않습니다.",
    },
    security_settings: UseTexts {
        what: "보안통과암호 또는 접수주소를 변경하기 위한 확인부호",
        not_you: "직접 요청하지 않았다면 다른 사람이 당신의 구좌에 들어와있는것입니다. 즉시 가입화면에서 통행증으로 가입통과암호를 다시 설정하십시오. 모든 접속이 끝납니다.",
    },
    new_email: UseTexts {
        what: "새 전자우편주소를 확인하기 위한 확인부호",
        not_you: "직접 요청하지 않았다면 다른 사람이 잘못하여 당신의 전자우편주소를 입력하였을수 있습니다. 이 우편을 무시하십시오. 이 부호가 없으면 주소는 쓰이지 않습니다.",
    },
    warning: "10분동안 유효합니다. 봉사원이라고 하는 사람을 포함하여 누구에게도 알리지 마십시오.",
};

static VI_VN: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "Mã để đăng ký tài khoản của bạn",
        not_you: "Nếu không phải bạn yêu cầu, hãy bỏ qua thư này: không có mã thì không có tài khoản nào được tạo.",
    },
    login_password: UseTexts {
        what: "Mã để đặt lại mật khẩu đăng nhập của bạn",
        not_you: "Nếu không phải bạn yêu cầu, có người đã nhập địa chỉ email của bạn. Mật khẩu vẫn giữ nguyên chừng nào không ai khác có mã này.",
    },
    security_settings: UseTexts {
        what: "Mã để thay đổi mật khẩu bảo mật hoặc địa chỉ nhận của bạn",
        not_you: "Nếu không phải bạn yêu cầu, có người đang đăng nhập vào tài khoản của bạn. Hãy đặt lại ngay mật khẩu đăng nhập bằng thẻ định danh ở trang đăng nhập: mọi phiên sẽ kết thúc.",
    },
    new_email: UseTexts {
        what: "Mã để xác nhận địa chỉ email mới của bạn",
        not_you: "Nếu không phải bạn yêu cầu, có thể ai đó đã nhập nhầm địa chỉ email của bạn. Hãy bỏ qua thư này: không có mã thì địa chỉ không được sử dụng.",
    },
    warning: "Có hiệu lực trong mười phút. Đừng cho ai biết, kể cả người tự xưng là bộ phận hỗ trợ.",
};

static TH_TH: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "รหัสสำหรับสมัครบัญชีของคุณ",
        not_you: "หากคุณไม่ได้ขอรหัสนี้ โปรดเพิกเฉยต่ออีเมลนี้ หากไม่มีรหัสนี้จะไม่มีการสร้างบัญชี",
    },
    login_password: UseTexts {
        what: "รหัสสำหรับตั้งรหัสผ่านเข้าสู่ระบบใหม่ของคุณ",
        not_you: "หากคุณไม่ได้ขอรหัสนี้ แสดงว่ามีผู้อื่นกรอกอีเมลของคุณ รหัสผ่านของคุณจะไม่เปลี่ยนตราบใดที่ผู้อื่นไม่มีรหัสนี้",
    },
    security_settings: UseTexts {
        what: "รหัสสำหรับเปลี่ยนรหัสผ่านความปลอดภัยหรือที่อยู่รับเหรียญของคุณ",
        not_you: "หากคุณไม่ได้ขอรหัสนี้ แสดงว่ามีผู้อื่นเข้าสู่ระบบบัญชีของคุณอยู่ โปรดตั้งรหัสผ่านเข้าสู่ระบบใหม่ด้วยพาสที่หน้าเข้าสู่ระบบทันที ทุกเซสชันจะสิ้นสุดลง",
    },
    new_email: UseTexts {
        what: "รหัสสำหรับยืนยันอีเมลใหม่ของคุณ",
        not_you: "หากคุณไม่ได้ขอรหัสนี้ อาจมีผู้อื่นกรอกอีเมลของคุณโดยไม่ตั้งใจ โปรดเพิกเฉยต่ออีเมลนี้ หากไม่มีรหัสนี้ อีเมลของคุณจะไม่ถูกใช้",
    },
    warning: "ใช้ได้ภายในสิบนาที อย่าบอกใคร แม้ผู้ที่อ้างว่าเป็นฝ่ายบริการลูกค้า",
};

static TR_TR: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "Hesap açma kodunuz",
        not_you: "Bunu siz istemediyseniz bu iletiyi yok sayın: kod olmadan hesap açılmaz.",
    },
    login_password: UseTexts {
        what: "Giriş şifrenizi sıfırlama kodunuz",
        not_you: "Bunu siz istemediyseniz başka biri e-posta adresinizi girmiştir. Bu kod başkasının eline geçmedikçe şifreniz değişmez.",
    },
    security_settings: UseTexts {
        what: "Güvenlik şifrenizi veya alıcı adresinizi değiştirme kodunuz",
        not_you: "Bunu siz istemediyseniz başka biri hesabınıza giriş yapmıştır. Giriş sayfasında giriş şifrenizi hemen kimlik uygulamasıyla sıfırlayın: tüm oturumlar kapanır.",
    },
    new_email: UseTexts {
        what: "Yeni e-posta adresinizi onaylama kodunuz",
        not_you: "Bunu siz istemediyseniz biri e-posta adresinizi yanlışlıkla girmiş olabilir. Bu iletiyi yok sayın: kod olmadan adresiniz kullanılmaz.",
    },
    warning: "On dakika geçerlidir. Destek olduğunu söyleyenler dahil kimseye söylemeyin.",
};

static ES_ES: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "Tu código para crear una cuenta",
        not_you: "Si no lo has pedido tú, ignora este mensaje: sin el código no se crea ninguna cuenta.",
    },
    login_password: UseTexts {
        what: "Tu código para restablecer la contraseña de inicio de sesión",
        not_you: "Si no lo has pedido tú, otra persona ha introducido tu dirección de correo. Tu contraseña no cambia mientras nadie más tenga este código.",
    },
    security_settings: UseTexts {
        what: "Tu código para cambiar la contraseña de seguridad o la dirección de recepción",
        not_you: "Si no lo has pedido tú, otra persona ha iniciado sesión en tu cuenta. Restablece ya la contraseña de inicio de sesión con el pase en la página de inicio de sesión: se cierran todas las sesiones.",
    },
    new_email: UseTexts {
        what: "Tu código para confirmar tu nueva dirección de correo",
        not_you: "Si no lo has pedido tú, puede que alguien haya introducido tu dirección por error. Ignora este mensaje: sin el código no se usa tu dirección.",
    },
    warning: "Vale diez minutos. No se lo digas a nadie, tampoco a quien diga ser de atención al cliente.",
};

static PT_PT: CodeTexts = CodeTexts {
    registration: UseTexts {
        what: "O seu código para criar uma conta",
        not_you: "Se não foi o próprio a pedi-lo, ignore esta mensagem: sem o código, não é criada nenhuma conta.",
    },
    login_password: UseTexts {
        what: "O seu código para redefinir a palavra-passe de início de sessão",
        not_you: "Se não foi o próprio a pedi-lo, outra pessoa introduziu o seu endereço de e-mail. A sua palavra-passe não muda enquanto mais ninguém tiver este código.",
    },
    security_settings: UseTexts {
        what: "O seu código para alterar a palavra-passe de segurança ou o endereço de receção",
        not_you: "Se não foi o próprio a pedi-lo, outra pessoa iniciou sessão na sua conta. Redefina já a palavra-passe de início de sessão com o passe na página de início de sessão: termina todas as sessões.",
    },
    new_email: UseTexts {
        what: "O seu código para confirmar o novo endereço de e-mail",
        not_you: "Se não foi o próprio a pedi-lo, alguém pode ter introduzido o seu endereço por engano. Ignore esta mensagem: sem o código, o endereço não é usado.",
    },
    warning: "É válido durante dez minutos. Não o diga a ninguém, nem a quem diga ser do apoio ao cliente.",
};
