import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import ts from 'typescript';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type CodeGroup, codeGroups } from '../../api/docs/code-groups.ts';
import { docsRouter } from '../../api/docs/docs-router.tsx';
import type { ReadCode } from '../../api/docs/read-codes.ts';
import { REGISTRY_CODES, USPS_STATES } from '../../domain/course/codes.ts';
import { WARNING_REASONS } from '../../domain/course/course.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { GRAMS } from '../../domain/fhir/quantities.ts';
import { findObservationKind } from '../../domain/mapping/bfdr/observation-kinds.ts';
import { IGNORED } from '../../domain/mapping/bfdr/unread-elements.ts';
import { findChartKind } from '../../domain/mapping/us-core/observation-kinds.ts';
import { birthBundle, courseOf } from '../support/bundles.ts';

const GROUPS = codeGroups([REGISTRY_CODES]);
const listed = new Set([
  ...GROUPS.flatMap(({ codes }) => codes).flatMap(({ code }) => [
    code,
    code.toLowerCase(),
    code.replace('.', ''),
  ]),
  ...IGNORED.flatMap(({ extensions, codes = [] }) => [...extensions, ...codes]),
]);

const groupOf = (id: string): CodeGroup => {
  const group = GROUPS.find((one) => one.id === id);
  if (group === undefined) throw new Error(id);
  return group;
};

const ROOT = new URL('../../', import.meta.url);
const FOLDERS = [
  'domain/mapping/bfdr/',
  'domain/mapping/us-core/',
  'domain/fhir/',
  'domain/mapping/from-fhir/',
];
const SOURCES = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}${file}`),
  ),
  'domain/course/codes.ts',
];

/** The texts of a source file: its strings, taken apart at blanks, and its patterns. */
const textsIn = (path: string): { readonly words: string[]; readonly patterns: string[] } => {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const words: string[] = [];
  const patterns: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      words.push(...node.text.split(/\s+/));
    if (ts.isRegularExpressionLiteral(node)) patterns.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { words, patterns };
};

// LOINC and CDC race codes, LOINC answers, SNOMED CT, ICD-10-CM, capitals as of HL7 v3, and words
// with hyphens as of FHIR.
const LOOKS_LIKE_A_CODE =
  /^(?:\d{1,6}-\d|la\d+-\d|\d{6,18}|[A-Z]\d{2,5}|[A-Z]{2,}[A-Z0-9]*|[a-z]+(?:-[a-z]+)+)$/;

const OID = /2\\?\.16\\?\.840[\d\\.]*/g;

/** What looks like a code and is none. */
const NO_CODES: ReadonlySet<string> = new Set([
  ...USPS_STATES,
  ...Object.keys(WARNING_REASONS),
  'us-core-race',
  'us-core-ethnicity',
  'us-core-birthsex',
  'us-core-sex',
  'data-absent-reason',
  'observation-replaces',
  'replaced-by',
  'own-prefix',
  'own-name',
  'fathers-family',
  'mothers-family',
  'fetal-death-report',
  'left-out',
  'live-births',
  'fetal-deaths',
  'gestation-ambiguous',
  'first-weight',
  'too-large',
  'due-date',
  'prenatal-visits',
  'YYYY-MM-DD',
  'UTC',
  'ISO',
  'EHR',
  'WIC',
  'GED',
  'DO',
  'post-baccalaureate',
]);

for (const path of SOURCES)
  test(`every code in ${path} is listed`, () => {
    const { words, patterns } = textsIn(path);
    const codes = words.filter((word) => LOOKS_LIKE_A_CODE.test(word) && !NO_CODES.has(word));
    assert.equal(
      codes.filter((one) => !listed.has(one)),
      [],
    );
    const withoutClasses = patterns.map((one) => one.replace(/\[[^\]]*\]|\{[\d,]*\}/g, ''));
    assert.equal(
      withoutClasses.filter((one) => /\d{6}|\d{2}-\d|[A-Z]\d\d/.test(one.replace(OID, ''))),
      [],
    );
  });

test('the search finds the codes that mappers hold', () => {
  const words = SOURCES.flatMap((path) => textsIn(path).words).filter((word) =>
    LOOKS_LIKE_A_CODE.test(word),
  );
  for (const one of ['8339-4', '830077005', 'ATND', 'hosp-trans', 'Z3801', 'la33-6', 'PHC1448'])
    assert.ok(words.includes(one), one);
});

const words = (text: string): JsonObject => ({
  valueCodeableConcept: { coding: [{ code: text }] },
});

/** A value as the list says that it is written. */
const LIVE_BIRTHS = '73773-4';

const exampleOf = ({ code, value, answers }: ReadCode): JsonObject => {
  const measure = /^number in .*; ([0-9.]+) to [0-9.]+ (\S+)$/.exec(value ?? '');
  if (measure !== null) return { valueQuantity: { value: Number(measure[1]), unit: measure[2] } };
  const whole = /^whole number, (\d+) to/.exec(value ?? '');
  // No live birth would contradict the child of these Bundles.
  if (whole !== null) return { valueInteger: code === LIVE_BIRTHS ? 1 : Number(whole[1]) };
  if (/^(?:full )?date/.test(value ?? '')) return { valueDateTime: '2026-03-01' };
  const none = /^(\d+) for none/.exec(value ?? '');
  if (none !== null) return words(none[1] ?? '');
  if (answers === 'race-answers')
    return { component: [{ ...codedAs('White'), valueBoolean: true }] };
  if (answers !== null) return words(groupOf(answers).codes[0]?.code ?? '');
  return { valueString: 'Main Street' };
};

const codedAs = (code: string, system?: string): JsonObject => ({
  code: { coding: [{ code, ...(system === undefined ? {} : { system }) }] },
});

/** Live births are the plurality only together with fetal deaths. */
const countsBeside = (one: string): readonly JsonObject[] => {
  const counts = [LIVE_BIRTHS, '73772-6'];
  if (!counts.includes(one)) return [];
  return counts
    .filter((other) => other !== one)
    .map((other) => ({ resourceType: 'Observation', ...codedAs(other), valueInteger: 1 }));
};

for (const one of groupOf('observations').codes)
  test(`${one.code} fills ${one.field}`, () => {
    const [system] = one.systems;
    const sent: JsonObject = {
      resourceType: 'Observation',
      status: 'final',
      ...codedAs(one.code, system),
      ...exampleOf(one),
    };
    const subject = one.subject?.includes('the child') || one.subject?.includes('a child');
    const bare = { weight: null, weeks: null, apgarFive: null };
    const reference = subject === true ? 'Patient/child-1' : 'Patient/mother';
    const course = courseOf(
      birthBundle({
        children: [bare],
        more: [{ ...sent, subject: { reference } }, ...countsBeside(one.code)],
      }),
    );
    const path = (one.field ?? '').replace('children.', 'children.0.').split('.');
    const filled = path.reduce<unknown>((at, name) => (at as JsonObject)[name], course);
    assert.ok(filled !== null && filled !== undefined, JSON.stringify(sent));
    if (Array.isArray(filled)) assert.is(filled.length, 1);
    assert.equal(course.warnings, []);
  });

for (const id of ['observations', 'chart-observations'])
  test(`each unit of ${id} is accepted, and no other`, () => {
    for (const { code, systems, value } of groupOf(id).codes) {
      const coding = codedAs(code, systems[0]);
      const kind =
        id === 'observations' ? findObservationKind(coding, [])?.kind : kindOfChart(coding);
      const range = /([0-9.]+) to ([0-9.]+)/.exec(value ?? '');
      if (kind === undefined || range === null) continue;
      const units =
        /number in ([^;]+);/.exec(value ?? '')?.[1] ?? /or (.+)$/.exec(value ?? '')?.[1] ?? '';
      for (const unit of units.split(', ')) {
        const reading = kind.read({ valueQuantity: { value: Number(range[2]), unit } });
        const reason = reading.kind === 'left-out' ? reading.reason : null;
        assert.is.not(reason, 'unit-unknown', `${code} in ${unit}`);
      }
      const odd = kind.read({ valueQuantity: { value: Number(range[2]), unit: 'stone' } });
      assert.is(odd.kind === 'left-out' ? odd.reason : null, 'unit-unknown', code);
    }
  });

const kindOfChart = (coding: JsonObject) => findChartKind(coding['code'])?.kind;

test('every answer group that a value names is listed, and every name of a unit', () => {
  for (const { codes } of GROUPS)
    for (const { answers } of codes) if (answers !== null) groupOf(answers);
  assert.equal(
    groupOf('units-of-mass').codes.map(({ code }) => code),
    [...GRAMS.keys()],
  );
});

test('the page has every code, and the data are the same', async () => {
  const app = express().use('/docs', docsRouter('https://registry.example'));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = await (await fetch(`${url}/docs/codes`)).text();
    const data = await fetch(`${url}/docs/codes.json`);
    assert.match(data.headers.get('content-type') ?? '', 'application/json');
    const groups = codeGroups([
      REGISTRY_CODES,
      'https://registry.example/fhir/CodeSystem/registry',
    ]);
    assert.equal(await data.json(), { groups, ignored: IGNORED });
    const ignored = page.slice(page.indexOf('<h2 id="ignored">')).split('</table>')[0] ?? '';
    for (const { elements, extensions } of IGNORED)
      for (const name of [...elements, ...extensions])
        assert.ok(ignored.includes(`<code>${name}</code>`), name);
    for (const { id, codes } of groups) {
      const section = page.slice(page.indexOf(`<h2 id="${id}">`)).split('</table>')[0] ?? '';
      assert.is(section.match(/<tr>/g)?.length, codes.length + 1, id);
      for (const { code } of codes) assert.ok(section.includes(`<code>${code}</code>`), code);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
