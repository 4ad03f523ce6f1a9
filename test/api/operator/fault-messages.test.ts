import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { AccessDeniedError, DeadlineExceededError, TimeoutError } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EmbeddedPostgresFailed } from '../../../adapters/embedded-postgres/embedded-postgres-failed.ts';
import { toLogError } from '../../../adapters/event-log/log-faults.ts';
import { formatFault } from '../../../api/app/fault-messages.ts';
import { CommandRefused } from '../../../api/commands/command-refused.ts';
import {
  EventLogAccessDenied,
  EventLogNotLeader,
  EventLogUnavailable,
  EventLogUnconfirmed,
} from '../../../domain/event-log-errors.ts';

const words = suite('what ended a start or a command, in words');

words('what was written for the operator stands alone, without the name of its class', () => {
  assert.is(
    formatFault(new CommandRefused('field-is-retired', 'The field is retired.')),
    'The field is retired.',
  );
});

words('a cause follows on a line of its own, without its message', () => {
  const cause = new TypeError('the mother is called Unmistakable');
  const [sentence, note = '', ...more] = formatFault(
    new EmbeddedPostgresFailed('The directory is not empty.', { cause }),
  ).split('\n');
  assert.is(sentence, 'The directory is not empty.');
  assert.match(note, /^Cause: \{"fault":"TypeError"/);
  assert.not.match(note, 'Unmistakable');
  assert.equal(more, []);
});

words('which of the two stores is away, also when it says so only in a cause', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  assert.match(formatFault(new Error('a query', { cause: refused })), /^The database does not/);
  assert.match(formatFault(new EventLogUnavailable('a read')), /^The event log does not answer/);
});

words('a log that answers, and is another one, is not told to be away', () => {
  const error = new EventLogUnconfirmed('Restore the newer log.');
  assert.is(formatFault(error), 'Restore the newer log.');
});

words('a log that answers, and stores too slowly, is not told to be away', () => {
  for (const error of [new DeadlineExceededError(), new TimeoutError()]) {
    assert.match(
      formatFault(toLogError('an append', error)),
      /^The event log answers, but did not/,
    );
    assert.match(formatFault(toLogError('a read', error)), /^The event log does not answer/);
  }
});

words('an account that the event log refuses names the setting', () => {
  const answers = [
    [16, /^The event log does not accept the account .* EVENTSTORE_URL is missing or wrong/],
    [7, /^The account in EVENTSTORE_URL lacks rights that the registry needs/],
  ] as const;
  for (const [code, told] of answers) {
    const answer = Object.assign(new Error('Access for hunter2 denied'), { code });
    for (const what of ['a read', 'an append', 'a subscription'] as const) {
      const said = formatFault(toLogError(what, answer));
      assert.match(said, told);
      assert.not.match(said, 'hunter2');
    }
  }
  assert.match(formatFault(toLogError('an append', new AccessDeniedError())), /^The account in/);
});

words('a log that refuses is not told to be away, even if only a cause says so', () => {
  const because = (cause: Error) => formatFault(new Error('a command', { cause }));
  assert.match(because(new EventLogAccessDenied('no')), /^The event log does not let the account/);
  assert.match(because(new EventLogNotLeader('no')), /^EVENTSTORE_URL leads to a node that is not/);
});

words('a port that is taken, and a file that is not there', async () => {
  const first = createServer().listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => first.once('listening', resolve));
    const address = first.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const second = createServer().listen(port, '127.0.0.1');
    const taken = await new Promise((resolve) => second.once('error', resolve));
    assert.match(formatFault(taken), 'set another PORT');
  } finally {
    first.close();
  }
  const missing = await readFile('/nowhere/at-all').catch((error: unknown) => error);
  assert.match(formatFault(missing), /^The system refuses .*nowhere/);
});

words('whatever else happens says no message, which may quote what was submitted', () => {
  const told = formatFault(new RangeError('the mother is called Unmistakable'));
  assert.match(told, /^An unexpected fault\..*\nCause: \{"fault":"RangeError"/);
  assert.not.match(told, 'Unmistakable');
});

words.run();
