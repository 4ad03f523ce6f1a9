import type { ComponentChildren } from 'preact';
import { REGISTRY_CODES } from '../../domain/course/codes.ts';
import { IGNORED, type IgnoredNames } from '../../domain/mapping/bfdr/unread-elements.ts';
import { type CodeGroup, codeGroups, listRegistryCodeSystems } from './code-groups.ts';
import {
  CodeBlock,
  CodeList,
  type DocsAddresses,
  type DocsPage,
  ScrolledTable,
} from './docs-page.tsx';
import type { ReadCode } from './read-codes.ts';

export const codesPage = (baseUrl: string, { root, asset }: DocsAddresses): DocsPage => {
  const systems = listRegistryCodeSystems(baseUrl);
  const groups = codeGroups(systems);
  return {
    path: '/docs/codes',
    title: 'Codes that are read',
    styles: [asset('docs.css')],
    scripts: [],
    content: (
      <>
        <p>
          Every code that the registry reads, where it may stand, and what it fills, made from the
          tables that read it. A code that is not listed is ignored, unless its section says
          otherwise. The same as data: <a href={`${root}/docs/codes.json`}>codes.json</a>.
        </p>
        {LANES.map(({ lane, title }) => (
          <>
            <h2>{title}</h2>
            <ul class="contents">
              {groups
                .filter((group) => group.lane === lane)
                .map((group) => (
                  <li key={group.id}>
                    <a href={`#${group.id}`}>{group.title}</a>
                  </li>
                ))}
            </ul>
          </>
        ))}
        <h2 id="own-codes">How to write one of the registry’s own codes</h2>
        <p>
          For what no published code exists, send an Observation whose <code>code.coding</code> has
          a code of the registry’s own, under either of these systems, which mean the same:
        </p>
        <ul>
          {systems.map((system) => (
            <li key={system}>
              <code>{system}</code>
            </li>
          ))}
        </ul>
        <p>
          A coded value goes into <code>valueCodeableConcept</code>, where a <code>text</code> that
          is one of the listed codes counts too; a list takes several Observations of the same code.
          In the partner lane a code that is not listed is dropped.
        </p>
        <CodeBlock text={JSON.stringify(EXAMPLE, null, 2)} />
        <Ignored />
        {groups.map((group) => (
          <Group key={group.id} group={group} />
        ))}
      </>
    ),
  };
};

export const codesData = (
  baseUrl: string,
): { readonly groups: readonly CodeGroup[]; readonly ignored: readonly IgnoredNames[] } => ({
  groups: codeGroups(listRegistryCodeSystems(baseUrl)),
  ignored: IGNORED,
});

/** Elements that resources may contain without a warning. */
const Ignored = () => (
  <>
    <h2 id="ignored">Elements that fill no field</h2>
    <p>
      The registry has no field for these elements, extensions, and parts, so it leaves them out.
      Any other element of a Patient, of an Observation that is read, of the birth Encounter, of a
      Location, of the Consent, or of the Composition leaves a warning in the record that names its
      path; so does that of a Practitioner from a partner. A partner’s record keeps only the type of
      the resource. Each other code of an Observation leaves a warning, too.
    </p>
    <ScrolledTable
      label="Elements that fill no field"
      class="codes"
      columns={['Resource', 'Elements', 'Extensions', 'Codes']}
    >
      {IGNORED.map(({ resource, elements, extensions, codes = [] }) => (
        <tr key={resource}>
          <td>{resource}</td>
          <td>
            <CodeList codes={elements} />
          </td>
          <td>
            <CodeList codes={extensions} />
          </td>
          <td>
            <CodeList codes={codes} />
          </td>
        </tr>
      ))}
    </ScrolledTable>
    <h3 id="ignored-parts">Parts of elements that are read</h3>
    <ScrolledTable
      label="Parts of elements that are read"
      class="codes"
      columns={['Resource', 'Part', 'Left out']}
    >
      {IGNORED.flatMap(({ resource, parts }) =>
        parts.map(({ path, when = 'always' }) => (
          <tr key={`${resource} ${path} ${when}`}>
            <td>{resource}</td>
            <td>
              <code>{path}</code>
            </td>
            <td>{when}</td>
          </tr>
        )),
      )}
    </ScrolledTable>
  </>
);

const LANES = [
  { lane: 'bundle', title: 'In Bundles' },
  { lane: 'chart', title: 'In charts, opened from an EHR' },
  { lane: 'both', title: 'In both' },
] as const;

const Group = ({ group }: { readonly group: CodeGroup }) => {
  const { id, title, where, about, codes } = group;
  const columns = COLUMNS.filter(({ has }) => codes.some(has));
  return (
    <>
      <h2 id={id}>{title}</h2>
      <p>{about}</p>
      <p class="note">
        <CodeList codes={where} />
      </p>
      <ScrolledTable label={title} class="codes" columns={columns.map(({ name }) => name)}>
        {codes.map((code) => (
          <tr key={code.code}>
            {columns.map(({ name, cell }) => (
              <td key={name}>{cell(code)}</td>
            ))}
          </tr>
        ))}
      </ScrolledTable>
    </>
  );
};

interface Column {
  readonly name: string;
  readonly has: (code: ReadCode) => boolean;
  readonly cell: (code: ReadCode) => ComponentChildren;
}

const COLUMNS: readonly Column[] = [
  { name: 'Code', has: () => true, cell: ({ code }) => <code>{code}</code> },
  {
    name: 'System',
    has: ({ systems }) => systems.length > 0,
    cell: ({ systems }) => getSystemName(systems),
  },
  { name: 'Means', has: () => true, cell: ({ means }) => means },
  {
    name: 'Field',
    has: ({ field }) => field !== null,
    cell: ({ field }) => (field === null ? 'none' : <code>{field}</code>),
  },
  {
    name: 'About',
    has: ({ subject }) => subject !== null,
    cell: ({ subject }) => subject,
  },
  {
    name: 'Value',
    has: ({ value }) => value !== null,
    cell: ({ value, answers }) => (answers === null ? value : <a href={`#${answers}`}>{value}</a>),
  },
];

const SYSTEM_NAMES: readonly (readonly [string, string])[] = [
  [REGISTRY_CODES, "the registry's own"],
  ['loinc.org', 'LOINC'],
  ['snomed.info', 'SNOMED CT'],
  ['icd-10-cm', 'ICD-10-CM'],
  ['vr-common-library', 'BFDR local'],
  ['v3-', 'HL7 v3'],
  ['2.16.840.1.113883.6.238', 'CDC race and ethnicity'],
];

const getSystemName = ([first = '']: readonly string[]): string =>
  first === '' ? 'any' : (SYSTEM_NAMES.find(([part]) => first.includes(part))?.[1] ?? first);

const EXAMPLE = {
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: REGISTRY_CODES, code: 'birth_position' }] },
  valueCodeableConcept: { coding: [{ code: 'hands-and-knees' }] },
};
