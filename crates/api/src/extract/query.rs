//! The query string: indexed arrays (`methods[0]=`), dotted keys (`price.min=`) and pagination.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::field_error;
use super::query_text::Node;
use crate::envelope::ApiError;

#[derive(Debug, Clone)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> Query<T> {
    /// Parses the query string of a request.
    pub(crate) fn parse(query: &str) -> Result<Self, ApiError> {
        let tree = Node::read(query)?;
        serde_path_to_error::deserialize(tree)
            .map(Self)
            .map_err(|error| field_error(&error.path().to_string(), &error.inner().to_string()))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

const LAST_PAGE: u32 = 10_000_000;
/// The maximum number of records on a page.
const LARGEST_PAGE: u32 = 100;

/// The requested page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(try_from = "PageText")]
pub struct Page {
    /// The page number, from 1 to 10,000,000.
    #[param(minimum = 1, maximum = 10_000_000, default = 1, required = false)]
    pub page: u32,
    /// The number of records per page, at most 100.
    #[param(minimum = 1, maximum = 100, default = 20, required = false)]
    pub size: u32,
}

/// The two fields as text. The query may contain the list's own filters too.
#[derive(Deserialize)]
struct PageText {
    #[serde(default = "first")]
    page: u32,
    #[serde(default = "twenty")]
    size: u32,
}

fn first() -> u32 {
    1
}

fn twenty() -> u32 {
    20
}

impl TryFrom<PageText> for Page {
    type Error = &'static str;

    fn try_from(text: PageText) -> Result<Self, &'static str> {
        if !(1..=LAST_PAGE).contains(&text.page) {
            return Err("invalid field `page`: from 1 to 10000000");
        }
        if !(1..=LARGEST_PAGE).contains(&text.size) {
            return Err("invalid field `size`: from 1 to 100");
        }
        Ok(Self { page: text.page, size: text.size })
    }
}

impl Page {
    /// Returns the number of records before the page.
    pub fn offset(self) -> i64 {
        i64::from(self.page.saturating_sub(1)).saturating_mul(i64::from(self.size))
    }

    /// Returns the maximum number of records on the page.
    pub fn limit(self) -> i64 {
        i64::from(self.size)
    }

    /// Builds the response page.
    pub fn of<T>(self, records: Vec<T>, total: i64) -> PageOf<T> {
        PageOf { records, total, page: self.page, size: self.size }
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PageOf<T> {
    pub records: Vec<T>,
    /// The number of records in the whole list.
    pub total: i64,
    /// The page number, from 1.
    pub page: u32,
    /// The number of records per page.
    pub size: u32,
}
