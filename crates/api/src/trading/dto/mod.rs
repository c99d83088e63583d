//! What adverts and orders look like to clients.

mod adverts;
mod deposits;
mod orders;

use std::collections::BTreeMap;

use domain::payment_methods::PaymentMethod;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use adverts::AdvertDto;
pub(crate) use orders::OrderDto;

/// A payment method: of one's own, or of the other side of a running order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = UsedMethod)]
pub(crate) struct PaymentMethodDto {
    /// Its id.
    pub(crate) id: String,
    /// Its type, as in the forms.
    pub(crate) r#type: String,
    /// Its currency.
    pub(crate) currency: String,
    /// Values by field name.
    pub(crate) fields: BTreeMap<String, String>,
}

impl From<&PaymentMethod> for PaymentMethodDto {
    fn from(method: &PaymentMethod) -> Self {
        Self {
            id: method.id.to_string(),
            r#type: method.kind.clone(),
            currency: method.currency.clone(),
            fields: method.fields.clone(),
        }
    }
}
