// What a user would write otherwise: express, express.json and one durable row per request.
// Argument: address of the database. Prints its own address.
import express from 'express';
import pg from 'pg';

const CONNECTIONS = 32;
const ACCEPTED = 202;

const pool = new pg.Pool({ connectionString: process.argv[2], max: CONNECTIONS });
await pool.query(
  'create table if not exists submission (id bigint generated always as identity primary key, body jsonb not null, received_at timestamptz not null default now())',
);

const app = express();
app.use(express.json({ limit: '20mb', type: '*/*' }));
app.post('/', async (req, res) => {
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into submission (body) values ($1) returning id',
    values: [req.body],
  });
  res.status(ACCEPTED).json({ id: rows[0].id });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
