//! Officers who decide appeals in tests.

use app::appeals::Officer;
use domain::console::{self, Role};
use domain::ids::OfficerId;
use store::console::accounts::{self, Account};
use store::console::audit::By;
use uuid::Uuid;

use super::Market;
use crate::noon;

impl Market {
    /// Returns the officer with this name, whose account is created if there is none. Each name has its own account.
    pub async fn officer(&self, name: &str, role: Role) -> Officer {
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(name.bytes()).for_each(|(byte, letter)| *byte = letter);
        let id = OfficerId(Uuid::from_bytes(bytes));
        let mut tx = self.database.store.begin().await.expect("a transaction");
        if accounts::by_id(&mut tx, id).await.expect("an account").is_none() {
            let officer = console::Officer {
                id,
                name: name.to_owned(),
                email: format!("{name}@example.org"),
                role,
                appointed_by: None,
                approved_at: Some(noon()),
                enrolled_at: Some(noon()),
                enrollment_expires_at: None,
                disabled_at: None,
                created_at: noon(),
                version: 1,
            };
            let (totp_secret, totp_step) = (Vec::new(), None);
            let account =
                Account { officer, password_hash: Some("x".to_owned()), totp_secret, totp_step, enrollment_hash: None };
            accounts::insert(&mut tx, &account).await.expect("an account");
            tx.commit().await.expect("a commit");
        }
        let by = By { officer: Some(id), ..By::from(name) };
        Officer { id, by, authority: role.authority().expect("a role that decides appeals") }
    }
}
