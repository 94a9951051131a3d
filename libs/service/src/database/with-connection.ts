/** The part of a pooled node-postgres client that is used here. */
interface Connection {
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/**
 * Lends `work` one connection for as long as it runs. A connection on which something failed is not given back but
 * closed. A pool listens for errors on idle connections only: one that is lost while it is lent, between two
 * statements, would end the process with an error event that nobody hears.
 */
export async function withConnection<Client extends Connection, Result>(
  connect: () => Promise<Client>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    return await work(client);
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
