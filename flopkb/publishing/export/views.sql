-- Where the roof bends, as the formula record gives it for each part and precision, with the two values that it rests on.
CREATE VIEW ridge_by_part_and_precision AS
SELECT
    part.id AS part,
    part.name AS name,
    ridge.format AS precision,
    peak.path AS peak_row,
    peak.value / 1e12 AS peak_tflop_per_s,
    memory.value / 1e9 AS bandwidth_gb_per_s,
    ridge.value AS ridge_flop_per_byte,
    ridge.contested AS contested
FROM comparisons AS ridge
JOIN records AS part ON part.id = ridge.record
LEFT JOIN facts AS peak
    ON peak.record = part.id AND peak.quantity = 'peak_flops' AND peak.dtype = ridge.format
    AND peak.sparsity = 'dense' AND peak.disputes IS NULL
LEFT JOIN facts AS memory ON memory.record = part.id AND memory.path = 'memory_bandwidth' AND memory.disputes IS NULL
WHERE ridge.comparison = 'ridge' AND ridge.unit = 'flop/byte'
ORDER BY part.id, peak.path;

-- What one token adds to the cache, as the formula record of its attention gives it.
CREATE VIEW kv_bytes_by_model AS
SELECT
    model.id AS model,
    model.name AS name,
    cached.format AS kv_dtype,
    COALESCE(cached.mark, 'heads') AS cache,
    cached.value AS bytes_per_token,
    cached.value / 1024 AS kib_per_token
FROM comparisons AS cached
JOIN records AS model ON model.id = cached.record
WHERE cached.comparison = 'kv_bytes' AND cached.unit = 'byte/token'
ORDER BY model.id, cached.value DESC, cached.format;

-- Every place that quotes a figure, a formula with inputs, or a recorded value.
CREATE VIEW where_quoted AS
SELECT
    quote.key AS key,
    quote.kind AS kind,
    quote.text AS text,
    COALESCE(
        (SELECT GROUP_CONCAT(listed.decimal, ', ') FROM (
            SELECT decimal FROM figure_values WHERE figure_values.figure = quote.figure ORDER BY id) AS listed),
        fact.decimal
    ) AS value,
    COALESCE(figure.unit, fact.unit) AS unit,
    quote.verdict AS verdict,
    quote.record AS record,
    quote.field AS field,
    record.file AS file,
    quote.line AS line,
    quote."column" AS "column"
FROM quotes AS quote
JOIN records AS record ON record.id = quote.record
LEFT JOIN figures AS figure ON figure.key = quote.figure
LEFT JOIN facts AS fact ON fact.id = quote.fact
WHERE quote.figure IS NOT NULL OR quote.fact IS NOT NULL
ORDER BY quote.key, record.file, quote.line, quote."column";

-- Effects and values with nothing behind them.
CREATE VIEW unverified AS
SELECT 'hardware row' AS what, row.record AS record, row.parameter AS item, row.sentence AS text, record.file AS file, row.line AS line
FROM hardware_rows AS row
JOIN records AS record ON record.id = row.record
WHERE row.basis = 'unverified'
UNION ALL
SELECT 'value', fact.record, fact.path, COALESCE(fact.written, fact.absent), record.file, fact.line
FROM facts AS fact
JOIN records AS record ON record.id = fact.record
WHERE fact.basis = 'unverified'
ORDER BY record, line;

-- Both sides of every conflict between sources.
CREATE VIEW contested_values AS
SELECT
    fact.key AS key,
    fact.written AS stands,
    (SELECT GROUP_CONCAT(source, ', ') FROM fact_sources WHERE fact_sources.fact = fact.id) AS stands_by,
    other.written AS stated_otherwise,
    (SELECT GROUP_CONCAT(source, ', ') FROM fact_sources WHERE fact_sources.fact = other.id) AS stated_by,
    100.0 * (other.value - fact.value) / fact.value AS percent_off,
    fact.preferred AS why_it_stands
FROM facts AS other
JOIN facts AS fact ON fact.id = other.disputes
ORDER BY fact.key, other.id;

-- What would have to be looked at again if a source turned out to be wrong.
CREATE VIEW rests_on_source AS
SELECT link.source AS source, fact.key AS key, fact.written AS written, COUNT(DISTINCT moved.figure) AS figures_moved
FROM fact_sources AS link
JOIN facts AS fact ON fact.id = link.fact
LEFT JOIN figure_facts AS moved ON moved.fact = fact.id
GROUP BY link.source, fact.id
ORDER BY link.source, fact.id;
