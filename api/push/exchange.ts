import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../access/authenticate.ts';

/** An authenticated request and its response. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly correlationId: string;
  readonly caller: Caller;
}
