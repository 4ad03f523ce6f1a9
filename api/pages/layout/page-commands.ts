import type { Response } from 'express';
import { toPerson } from '../../access/person.ts';
import { createCommands } from '../../commands/command-sets.ts';
import type { AppPorts } from '../../ports/app-ports.ts';
import { getAccount, requireSeatAgain } from '../../web/guards/seats.ts';

/** Commands of the sender of a request. Before one writes, its route must admit the sender again. */
export const createPageCommands = (app: AppPorts, res: Response) =>
  createCommands(app, toPerson(getAccount(res)), String(res.locals['correlationId']), () =>
    requireSeatAgain(res),
  );
