import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { comparisonsIn, GAP, messagesIn } from './messages-in.ts';

/** The rules that can be checked cheaply, of docs/design/pages.md#messages. */

const style = suite('the style of the messages');

// The demonstration and the tools of developers tell of themselves; the simulated EHR is no part of us.
const messages = [
  ...messagesIn(['domain', 'api', 'adapters/crypto', 'adapters/embedded-postgres']),
  ...messagesIn([
    'adapters/event-log',
    'adapters/package-internals',
    'adapters/postgres',
    'adapters/csv',
    'scripts/operator',
  ]),
  ...messagesIn(['scripts/synthesis']),
];

/** The specification gives it as it stands. */
const FIXED = 'Stale update ignored';

/** Messages of other programs, and the words of a log of before, which have no ids. */
const READ_FROM_ELSEWHERE = [
  'adapters/crypto/certificate-problem.ts',
  'adapters/package-internals/event-store-client/log-address.ts',
  'adapters/event-log/schemas/old-words.ts',
  'adapters/postgres/migrations/migrate.ts',
  'adapters/postgres/connection/outage.ts',
];

const breaking = (isBroken: (text: string) => boolean): readonly string[] =>
  messages
    .filter(({ text }) => text !== FIXED && isBroken(text))
    .map(({ at, text }) => `${at} ${text}`);

style('each kind of message is among those that are read', () => {
  for (const start of [
    'domain/course/rejections',
    'api/commands/refusal-messages',
    'domain/mapping/form/parse',
  ])
    assert.ok(messages.filter(({ at }) => at.startsWith(start)).length > 1, start);
  for (const start of ['api/http/problems', 'api/web/page-problem', 'api/smart/launch-problem'])
    assert.ok(messages.filter(({ at }) => at.startsWith(start)).length > 5, start);
  for (const start of ['api/app/service', 'adapters/embedded-postgres', 'scripts/operator'])
    assert.ok(messages.filter(({ at }) => at.startsWith(start)).length > 2, start);
});

style('each is made of sentences: a capital or a name at its start, a full stop at its end', () => {
  assert.equal(
    breaking((text) => !new RegExp(`^(?:[A-Z“${GAP}\`]|--)`).test(text)),
    [],
  );
  assert.equal(
    breaking((text) => !text.endsWith('.') && !text.endsWith(GAP)),
    [],
  );
});

style('none is compared with another: what something is known by is its id', () => {
  assert.equal(
    comparisonsIn(['domain', 'projections', 'adapters', 'api']).filter(
      (found) => !READ_FROM_ELSEWHERE.some((place) => found.startsWith(place)),
    ),
    [],
  );
});

style('none begs, shouts, or says that something is invalid instead of what is so', () => {
  assert.equal(
    breaking((text) => /\bplease\b|!|\binvalid\b|\berror occurred\b|\bno such\b/i.test(text)),
    [],
  );
});

style('none has a word that people at work do not use', () => {
  assert.equal(
    breaking((text) => /\bmend|\banew\b|\b(?:one|answer|zone) of the list\b/i.test(text)),
    [],
  );
});

style.run();
