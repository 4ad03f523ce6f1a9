import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import {
  EVENT_SCHEMAS,
  type RegistryEvent,
} from '../../adapters/event-log/schemas/event-schemas.ts';
import type { StreamKind } from '../../domain/stream-names.ts';
import { buildHead, formatCode, getMainClause } from './markdown.ts';

interface StreamDescription {
  /** Name of a stream, with the variable part in capitals. */
  readonly name: string;
  readonly about: string;
  /** Type that unites the events of such a stream. */
  readonly union: string;
}

const STREAMS: Readonly<Record<StreamKind, StreamDescription>> = {
  registry: {
    name: 'registry',
    about: 'The registry itself and its keys. It is the first stream of a log.',
    union: 'RegistryStreamEvent',
  },
  practice: { name: 'practice-ID', about: 'One practice.', union: 'PracticeEvent' },
  member: {
    name: 'member-HASH',
    about: 'One person with a seat, named by a keyed hash of the email.',
    union: 'MemberEvent',
  },
  staff: {
    name: 'staff-HASH',
    about: 'One person of the service staff, named by a keyed hash of the email.',
    union: 'StaffEvent',
  },
  key: { name: 'key-ID', about: 'One API key.', union: 'ApiKeyEvent' },
  partner: { name: 'partner-ID', about: 'One partner.', union: 'PartnerEvent' },
  partnerkeys: {
    name: 'partnerkeys-HASH',
    about: 'The feed keys of one partner at one practice.',
    union: 'PartnerKeySlotEvent',
  },
  ingestion: {
    name: 'ingestion-ID',
    about: 'The processing of one submission.',
    union: 'IngestionEvent',
  },
  record: {
    name: 'record-HASH',
    about: 'One birth record, named by a keyed hash of the practice and the chart number.',
    union: 'BirthRecordEvent',
  },
  provider: {
    name: 'provider-HASH',
    about: 'One provider of a partner at a practice.',
    union: 'ProviderEvent',
  },
  merges: {
    name: 'merges-HASH',
    about: 'The merges of a partner’s providers at a practice.',
    union: 'MergesEvent',
  },
  access: {
    name: 'access-PRACTICE-HOUR',
    about: 'The access log of one practice, or of the registry, for one hour.',
    union: 'AccessEvent',
  },
  work: { name: 'work-HASH', about: 'One item of a practice’s to-do list.', union: 'WorkEvent' },
};

/** Builds the reference of streams and events from their schemas and the comments of their types. */
export const buildEventReference = (): string => {
  const types = readTypes();
  const streams = Object.values(STREAMS).map(({ name, about, union }) => {
    const events = listMembers(types, union).map((event) => {
      const { version } = EVENT_SCHEMAS[event as RegistryEvent['type']];
      const head = version === 1 ? formatCode(event) : `${formatCode(event)} (version ${version})`;
      return `- ${head}: ${getMainClause(types.get(event)?.comment ?? '')}`;
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

interface DeclaredType {
  readonly comment: string;
  /** Types that it unites; its own type if it is no union. */
  readonly members: readonly string[];
}

/** Exported types of the domain, by name. */
const readTypes = (): ReadonlyMap<string, DeclaredType> =>
  new Map(
    readdirSync('domain', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join('domain', file), 'utf8'))
      .flatMap((text) => ts.createSourceFile('', text, ts.ScriptTarget.ES2023, true).statements)
      .filter(ts.isTypeAliasDeclaration)
      .map((declared) => [declared.name.text, describeType(declared)]),
  );

const describeType = (declared: ts.TypeAliasDeclaration): DeclaredType => {
  const [comment] = ts.getJSDocCommentsAndTags(declared);
  return {
    comment: ts.getTextOfJSDocComment(comment?.comment) ?? '',
    members: (ts.isUnionTypeNode(declared.type) ? declared.type.types : [declared.type]).map(
      (one) => one.getText(),
    ),
  };
};

/** Event types of a union, which may unite other unions. */
const listMembers = (types: ReadonlyMap<string, DeclaredType>, name: string): readonly string[] => {
  if (name in EVENT_SCHEMAS) return [name];
  return (types.get(name)?.members ?? []).flatMap((member) => listMembers(types, member));
};
