import { connect, createServer, type Socket } from 'node:net';

/** A loopback port that is free at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

/** A relay on the loopback in front of a store: cut, the store is away for whoever comes this way. */
export interface Relay {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections stand but forwards nothing: the store hangs. */
  freeze(): void;
  /** Ends every connection, and leads new ones to another port. */
  aim(port: number): void;
  /** Undoes a cut or a freeze. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a relay to a port of the loopback. */
export const relayTo = async (target: number): Promise<Relay> => {
  const sockets = new Set<Socket>();
  let aimedAt = target;
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(aimedAt, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => undefined);
      one.on('data', (bytes) => other.write(bytes));
      if (isFrozen) one.pause();
    }
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve());
    });
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    cut,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    aim(other) {
      aimedAt = other;
      for (const socket of sockets) socket.destroy();
    },
    async mend() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  };
};

/** Starts a relay in front of the store of an address. @returns it, and the address of the relay */
export const relayUrl = async (url: string): Promise<readonly [relay: Relay, relayed: string]> => {
  const { port } = new URL(url);
  const relay = await relayTo(Number(port));
  return [relay, url.replace(`:${port}`, `:${relay.port}`)];
};
