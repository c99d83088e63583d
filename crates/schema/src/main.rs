//! Brings the database named by `DATABASE_URL` up to date, so that the store's queries can be checked against it.

use std::error::Error;

use sqlx::Connection;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("DATABASE_URL")?;
    let mut connection = sqlx::PgConnection::connect(&url).await?;
    Ok(schema::MIGRATIONS.run(&mut connection).await?)
}
