import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/authenticate.ts';

/** A request that came with a valid key, and the response to it. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly correlationId: string;
  readonly caller: Caller;
}
