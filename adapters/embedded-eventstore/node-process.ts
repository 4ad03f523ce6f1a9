import { randomInt } from 'node:crypto';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { collectGarbageWhenIdle } from '../package-internals/node/collect-garbage.ts';
import { type EventStoreNode, openNode } from './node.ts';
import type { HostMessage, NodeMessage } from './node-messages.ts';
import { describeError } from './store/errors.ts';

// A killed node's connection keeps the lock for a moment. After a longer time, the host retries.
const LOCK_WAIT_MS = 500;
const LOCK_POLL_MS = 50;
const DRAIN_MS = 4_000;
// Below the ephemeral ports, from which an outgoing connection could take the node's port.
const PORT_RANGE = [20_000, 32_000] as const;
const PORT_TRIES = 20;
const NICE = 3;

let node: EventStoreNode | null = null;
let isStopping = false;

const sendToHost = (message: NodeMessage): void => {
  if (process.connected) process.send?.(message, () => undefined);
};

const leave = (code: number): void => {
  if (!process.connected) process.exit(code);
  // The last message must reach the host before the channel closes.
  setImmediate(() => process.exit(code));
};

const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), DRAIN_MS);
  await node?.stop().catch(() => undefined);
  leave(0);
};

const listen = async (
  opened: EventStoreNode,
  start: Extract<HostMessage, { kind: 'start' }>,
): Promise<number> => {
  if (start.isPortFixed) return opened.listen(start.port);
  const candidates = Array.from({ length: PORT_TRIES }, () => randomInt(...PORT_RANGE));
  if (start.port !== 0) candidates.unshift(start.port);
  for (const candidate of candidates) {
    const port = await opened.listen(candidate).catch(() => null);
    if (port !== null) return port;
  }
  return opened.listen(0);
};

const open = async (start: Extract<HostMessage, { kind: 'start' }>): Promise<void> => {
  const { databaseUrl, hostKind, authorization } = start;
  const onLog = (line: object) => sendToHost({ kind: 'log', line });
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    node = await openNode({ databaseUrl, hostKind, authorization, onLog });
    if (node !== null) break;
    if (isStopping) return;
    if (Date.now() >= deadline) {
      sendToHost({ kind: 'busy' });
      leave(0);
      return;
    }
    await delay(LOCK_POLL_MS);
  }
  const opened = node;
  const port = await listen(opened, start);
  if (isStopping) await opened.stop();
  else sendToHost({ kind: 'listening', port });
};

const fail = (thrown: unknown): void => {
  sendToHost({ kind: 'failed', ...describeError(thrown) });
  leave(1);
};

collectGarbageWhenIdle();
// A push is answered before the log has it.
setPriority(NICE);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// Terminals and process managers signal the whole group. The host stops the node after its own work
// is drained, and the channel closes if the host dies.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => void stop());
process.on('message', (message: HostMessage) => {
  if (message.kind === 'stop') void stop();
  else open(message).catch(fail);
});
