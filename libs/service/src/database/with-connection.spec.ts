import { EventEmitter } from 'node:events';
import { withConnection } from './with-connection.js';

/** What a pool lends, without a server: an emitter that remembers how it was given back. */
class Lent extends EventEmitter {
  released: (boolean | undefined)[] = [];
  release(destroy?: boolean): void {
    this.released.push(destroy);
  }
}

describe('withConnection', () => {
  it('gives the connection back, and its listener is gone', async () => {
    const client = new Lent();
    expect(
      await withConnection(
        async () => client,
        async (lent) => lent === client,
      ),
    ).toBe(true);
    expect([client.released, client.listenerCount('error')]).toEqual([[false], 0]);
  });

  it('closes a connection on which the work failed', async () => {
    const client = new Lent();
    const failing = withConnection(
      async () => client,
      () => Promise.reject(new Error('statement failed')),
    );
    await expect(failing).rejects.toThrow('statement failed');
    expect(client.released).toEqual([true]);
  });

  it('A2: survives the loss of the connection between two statements, and closes it', async () => {
    const client = new Lent();
    const result = await withConnection(
      async () => client,
      async (lent) => {
        lent.emit('error', new Error('terminating connection due to administrator command'));
        return 'went on';
      },
    );
    expect([result, client.released]).toEqual(['went on', [true]]);
  });
});
