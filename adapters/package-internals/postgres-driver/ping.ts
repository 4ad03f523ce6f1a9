import pg from 'pg';

/** Asks the server for a sign of life. Unlike a query, this begins no transaction. */
export const ping = (client: pg.Client): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query('', (error) => (error ? reject(error) : resolve()));
    query.submit = (connection) => connection.sync();
    client.query(query);
  });
