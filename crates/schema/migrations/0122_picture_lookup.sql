-- Finding similar pictures needs no row of the table.
create index picture_bands_look on picture_bands (place, band, file desc) include (look, is_proof);
