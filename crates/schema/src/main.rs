//! Migrates the database at `DATABASE_URL`, so that the queries in `store` can be checked against it.

use std::error::Error;

use sqlx::Connection;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::var("DATABASE_URL")?;
    let mut connection = sqlx::PgConnection::connect(&url).await?;
    Ok(schema::MIGRATIONS.run(&mut connection).await?)
}
