import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import type { StreamKind } from '../../domain/stream-names.ts';
import { buildHead, formatCode, getMainClause } from './markdown.ts';

interface StreamDescription {
  /** Name of a stream, with the variable part in capitals. */
  readonly name: string;
  readonly about: string;
}

const STREAMS: Readonly<Record<StreamKind, StreamDescription>> = {
  registry: {
    name: 'registry',
    about: 'The registry itself and its keys. It is the first stream of a log.',
  },
  practice: { name: 'practice-ID', about: 'One practice.' },
  member: {
    name: 'member-HASH',
    about: 'One person with a seat, named by a keyed hash of the email.',
  },
  staff: {
    name: 'staff-HASH',
    about: 'One person of the service staff, named by a keyed hash of the email.',
  },
  key: { name: 'key-ID', about: 'One API key.' },
  partner: { name: 'partner-ID', about: 'One partner.' },
  partnerkeys: {
    name: 'partnerkeys-HASH',
    about: 'The feed keys of one partner at one practice.',
  },
  ingestion: {
    name: 'ingestion-ID',
    about: 'The processing of one submission.',
  },
  record: {
    name: 'record-HASH',
    about: 'One birth record, named by a keyed hash of the practice and the chart number.',
  },
  provider: {
    name: 'provider-HASH',
    about: 'One provider of a partner at a practice.',
  },
  merges: {
    name: 'merges-HASH',
    about: 'The merges of a partner’s providers at a practice.',
  },
  access: {
    name: 'access-PRACTICE-HOUR',
    about: 'The access log of one practice, or of the registry, for one hour.',
  },
  work: { name: 'work-HASH', about: 'One item of a practice’s to-do list.' },
};

export const buildEventReference = (): string => {
  const comments = readComments();
  const streams = Object.entries(STREAMS).map(([kind, { name, about }]) => {
    const events = Object.entries(EVENT_SCHEMAS)
      .filter(([, { stream }]) => stream === kind)
      .map(([event, { version }]) => {
        const head =
          version === 1 ? formatCode(event) : `${formatCode(event)} (version ${version})`;
        return `- ${head}: ${getMainClause(comments.get(event) ?? '')}`;
      });
    return `## ${name}\n\n${about}\n\n${events.join('\n')}\n`;
  });
  return [
    buildHead('Streams and events', 'the schemas in `adapters/event-log/schemas/`'),
    ABOUT,
    ...streams,
  ].join('\n');
};

const ABOUT = `Stream names contain keyed hashes, never a chart number, email, or idempotency key.
An event is in version 1 unless its version is given. The service reads all earlier versions.
The metadata of every event has the actor, the time, and the correlation id.
`;

const readComments = (): ReadonlyMap<string, string> =>
  new Map(
    readdirSync('domain', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join('domain', file), 'utf8'))
      .flatMap((text) => listComments(ts.createSourceFile('', text, ts.ScriptTarget.ES2023, true))),
  );

const listComments = (node: ts.Node): readonly (readonly [type: string, comment: string])[] => {
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'defineEvents')
    return node.getChildren().flatMap(listComments);
  const [, events] = node.arguments;
  if (events === undefined || !ts.isObjectLiteralExpression(events)) return [];
  return events.properties.map((event) => {
    const [comment] = ts.getJSDocCommentsAndTags(event);
    return [event.name?.getText() ?? '', ts.getTextOfJSDocComment(comment?.comment) ?? ''];
  });
};
