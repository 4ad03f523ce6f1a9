import { type RequestHandler, Router, text } from 'express';
import type { Witnessed } from '../registry/witness-checkpoint.ts';

/** Old size, 63 hashes and a note with many signatures take less. */
const MAX_BYTES = 16 * 1024;

/**
 * Where logs of others have their checkpoints signed. Open to everybody: what is signed is what a known log has
 * signed before.
 * @see C2SP tlog-witness
 */
export const witnessRouter = (witness: (asked: string) => Promise<Witnessed>): Router =>
  Router().post(
    '/log/witness/add-checkpoint',
    text({ type: () => true, limit: MAX_BYTES }),
    addCheckpoint(witness),
  );

const REFUSALS = {
  malformed: [400, 'This is no request of C2SP tlog-witness.'],
  'unknown-log': [404, 'This registry is no witness of that log.'],
  'not-signed': [403, 'No key of that log has signed the checkpoint.'],
  'not-proved': [422, 'The proof does not lead from the checkpoint before to this one.'],
} as const;

const addCheckpoint =
  (witness: (asked: string) => Promise<Witnessed>): RequestHandler =>
  async (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    const answer = await witness(typeof req.body === 'string' ? req.body : '');
    if (answer.kind === 'conflict') {
      res.setHeader('Content-Type', 'text/x.tlog.size');
      res.status(409).end(`${answer.size}\n`);
      return;
    }
    res.type('text/plain; charset=utf-8');
    if (answer.kind === 'signed') {
      res.send(answer.line);
      return;
    }
    const [status, words] = REFUSALS[answer.kind];
    res.status(status).send(`${words}\n`);
  };
