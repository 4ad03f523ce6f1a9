import * as assert from 'uvu/assert';
import { newPractice, poll, push } from '../harness/service.ts';
import { birthBundle, retractionBundle } from '../support/bundles.ts';
import {
  ALL_ROWS,
  BIRTH_COLUMNS,
  birthRow,
  csvOf,
  endedImport,
  fileOf,
  importIdOf,
  importSuite,
  MEMBER,
  textOf,
} from '../support/imports.ts';
import { runs } from '../support/runs.ts';

/** What a member does with a file of births, on a running service. */

const importing = importSuite('importing a file');

importing(
  'a row that looks like many names the oldest, and says how many others there are',
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const stage = async (...charts: readonly string[]) => {
      const rows = charts.map((chart) => birthRow(chart, 'Amaral'));
      return importIdOf(await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, rows))));
    };
    const alikeIn = async (importId: string) =>
      (await imports.preview(practiceId, MEMBER, importId, ALL_ROWS))?.rows.map(
        ({ looksLike, othersAlike }) => [looksLike, othersAlike],
      );
    const first = await stage('P-1', 'P-2', 'P-3');
    assert.equal(await alikeIn(first), [
      [null, undefined],
      [{ row: 2 }, undefined],
      [{ row: 2 }, 1],
    ]);
    await imports.confirm(practiceId, MEMBER, first, false);
    await endedImport(imports, practiceId, first);
    const { submissionUuid } = await service.commands.history(practiceId, 'P-1', null);
    assert.equal(await alikeIn(await stage('N-1', 'N-2')), [
      [{ submissionUuid }, 2],
      [{ submissionUuid }, 3],
    ]);
  },
);

importing(
  'a file is previewed row by row, and nothing is a record before it is confirmed',
  async ({ service, opened: { imports } }) => {
    const { practiceId, token } = await newPractice(service.commands);
    await push(
      service.url,
      token,
      birthBundle({ chartNumber: 'P-1', mother: { family: 'Marin', given: ['Rosa'] } }),
    );
    const file = csvOf(
      [...BIRTH_COLUMNS, 'Wieght'],
      [
        birthRow('N-1', 'Amaral'),
        birthRow('P-1', 'Marin'),
        ['', '', '', '', '', '', '', '', ''],
        birthRow('N-2', 'Amaral'),
        birthRow('N-1', 'Amaral', '3500'),
        ['N-3', 'Okafor', 'Ada', 'Spaceship', '13/40/2026', '', 'female', '12 parsec', 'no'],
      ],
    );
    const importId = importIdOf(await imports.stage(fileOf(practiceId, file)));
    const preview = await imports.preview(practiceId, MEMBER, importId, ALL_ROWS);
    assert.equal(preview?.summary.counts, { new: 1, amends: 2, flagged: 1, refused: 1 });
    assert.equal(
      preview?.rows.map(({ row, status, version, amendsRow, looksLike }) => ({
        row,
        status,
        version,
        amendsRow,
        looksLike,
      })),
      [
        { row: 2, status: 'new', version: null, amendsRow: null, looksLike: null },
        { row: 3, status: 'amends', version: 2, amendsRow: null, looksLike: null },
        { row: 5, status: 'flagged', version: null, amendsRow: null, looksLike: { row: 2 } },
        { row: 6, status: 'amends', version: 2, amendsRow: 2, looksLike: null },
        { row: 7, status: 'refused', version: null, amendsRow: null, looksLike: null },
      ],
    );
    assert.ok(preview?.rows[1]?.empties.includes('child1_apgar_five_minute'));
    assert.not(preview?.rows[1]?.empties.includes('mother_family_name'));
    const refused = await imports.preview(practiceId, MEMBER, importId, {
      ...ALL_ROWS,
      status: 'refused',
    });
    assert.equal(refused?.rows[0]?.errors.map(({ column }) => column).sort(), [
      'child1_birth_date',
      'child1_birth_weight_grams',
      'place_of_birth',
    ]);
    assert.is(refused?.rows[0]?.values['place_of_birth'], 'Spaceship');
    assert.equal(preview?.summary.unknownColumns, [
      {
        letter: 'J',
        header: 'Wieght',
        suggestions: preview?.summary.unknownColumns[0]?.suggestions,
      },
    ]);
    assert.is(await imports.preview(practiceId, 'another', importId, ALL_ROWS), null);
    assert.is((await service.commands.history(practiceId, 'N-1', null)).state, null);
    assert.is(await imports.progress(practiceId, importId), null);

    assert.equal(await imports.confirm(practiceId, MEMBER, importId, false), { kind: 'confirmed' });
    assert.equal(await imports.confirm(practiceId, MEMBER, importId, false), { kind: 'confirmed' });
    const progress = await endedImport(imports, practiceId, importId);
    assert.is(progress.status, 'completed');
    assert.equal(
      [
        progress.accepted,
        progress.rejected,
        progress.processed,
        progress.total,
        progress.startedBy,
      ],
      [4, 1, 5, 5, MEMBER],
    );

    const { state, events } = await service.commands.history(practiceId, 'N-1', null);
    assert.is(state?.source, 'csv');
    assert.is(state?.keyKind, null);
    assert.is(state?.version, 2);
    assert.is(state?.courseOfCare.children[0]?.birth_weight_grams, 3500);
    assert.is(state?.courseOfCare.children[0]?.birth_time?.startsWith('2026-05-12T14:05:00'), true);
    assert.equal(
      events.map(({ type, actor }) => [type, actor]),
      [
        ['BirthRecorded', { kind: 'member', id: MEMBER }],
        ['BirthAmended', { kind: 'member', id: MEMBER }],
      ],
    );
    assert.is((await service.commands.history(practiceId, 'P-1', null)).state?.version, 2);
    assert.is(
      (await service.commands.history(practiceId, 'N-2', null)).state?.suspectedDuplicate,
      true,
    );

    const result = await textOf(await imports.resultFile(practiceId, importId));
    const lines = result.replace('\ufeff', '').trim().split('\r\n');
    assert.is(
      lines[0],
      'row,chart_number,outcome,version,suspected_duplicate,reason,submission_uuid',
    );
    assert.equal(
      lines.slice(1).map((line) => line.split(',').slice(0, 5)),
      [
        ['2', 'N-1', 'recorded', '', ''],
        ['3', 'P-1', 'amended', '2', ''],
        ['5', 'N-2', 'recorded', '', 'yes'],
        ['6', 'N-1', 'amended', '2', ''],
        ['7', 'N-3', 'refused', '', ''],
      ],
    );
    assert.match(lines[5] ?? '', /place_of_birth: /);
    assert.not.match(result, /Spaceship|parsec/);

    // An API key of the practice knows nothing of it.
    const receipt = await poll(`${service.url}/api/registry/fhir/ingestions/${importId}`, token);
    assert.is(receipt.status, 404);
    assert.equal((await service.commands.verify()).problems, []);
  },
);

importing(
  'a row with the chart number of another birth of the file says so',
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const rows = [
      birthRow('U-1', 'Amaral'),
      birthRow('U-1', 'Okafor'),
      birthRow('U-1', 'Okafor').with(4, '5/13/2026'),
      birthRow('U-1', 'okafor').with(4, '5/13/2026'),
      birthRow('U-1', 'Lindqvist').with(4, '5/14/2026'),
    ];
    const importId = importIdOf(
      await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, rows))),
    );
    const preview = await imports.preview(practiceId, MEMBER, importId, ALL_ROWS);
    assert.equal(
      preview?.rows.map(({ row, amendsRow, unlike }) => [row, amendsRow, unlike]),
      [
        [2, null, undefined],
        [3, 2, ['mother']],
        [4, 3, ['birthDate']],
        [5, 4, undefined],
        [6, null, undefined],
      ],
    );
    assert.is(preview?.rows[4]?.status, 'refused');
    assert.equal(preview?.rows[4]?.anothers, { version: 4, row: 5, isConfirmed: false });
    assert.match(preview?.rows[4]?.errors[0]?.message ?? '', /Row 5 has this chart number/);
  },
);

importing(
  'a file that was imported before is flagged, and asked for again',
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow('R-1', 'Lindqvist')]));
    const [first, second] = [await imports.stage(file), await imports.stage(file)].map(importIdOf);
    assert.is((await imports.preview(practiceId, MEMBER, second ?? '', ALL_ROWS))?.earlier, null);
    // At once: one of the two is asked.
    const answers = await Promise.all(
      [first, second].map((id) => imports.confirm(practiceId, MEMBER, id ?? '', false)),
    );
    assert.equal(answers.map(({ kind }) => kind).sort(), ['confirmed', 'repeated']);
    const confirmed = answers[0]?.kind === 'confirmed' ? first : second;
    await endedImport(imports, practiceId, confirmed ?? '');

    const third = importIdOf(await imports.stage({ ...file, memberId: 'another member' }));
    const preview = await imports.preview(practiceId, 'another member', third, ALL_ROWS);
    assert.is(preview?.earlier?.importId, confirmed);
    assert.is(preview?.earlier?.memberId, MEMBER);
    const asked = await imports.confirm(practiceId, 'another member', third, false);
    assert.is(asked.kind, 'repeated');
    assert.is((await imports.confirm(practiceId, 'another member', third, true)).kind, 'confirmed');
    await endedImport(imports, practiceId, third);
    assert.is((await service.commands.history(practiceId, 'R-1', null)).state?.version, 2);
  },
);

importing(
  'a file of refused rows alone has nothing to confirm',
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const file = fileOf(
      practiceId,
      csvOf(BIRTH_COLUMNS, [['X-1', 'Amaral', '', '', '', '', '', '']]),
    );
    const importId = importIdOf(await imports.stage(file));
    assert.equal(await imports.confirm(practiceId, MEMBER, importId, false), {
      kind: 'nothing-to-import',
    });
    assert.equal(await imports.confirm(practiceId, 'another', importId, false), { kind: 'gone' });
  },
);

importing(
  'a row that brings a voided record back says so',
  async ({ service, opened: { imports } }) => {
    const { practiceId, token } = await newPractice(service.commands);
    await push(
      service.url,
      token,
      birthBundle({ chartNumber: 'Z-1', mother: { family: 'Marin', given: ['Rosa'] } }),
    );
    await push(service.url, token, retractionBundle('Z-1'));
    const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow('Z-1', 'Marin')]));
    const importId = importIdOf(await imports.stage(file));
    const [row] = (await imports.preview(practiceId, MEMBER, importId, ALL_ROWS))?.rows ?? [];
    assert.equal([row?.status, row?.revives, row?.version], ['amends', true, 3]);
    await imports.confirm(practiceId, MEMBER, importId, false);
    await endedImport(imports, practiceId, importId);
    const { state } = await service.commands.history(practiceId, 'Z-1', null);
    assert.equal([state?.status, state?.version], ['live', 3]);
  },
);

importing(
  'what changes after the file was read is not overwritten by it',
  async ({ service, opened: { imports } }) => {
    const { practiceId, token } = await newPractice(service.commands);
    const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow('S-1', 'Amaral', '3100')]));
    const importId = importIdOf(await imports.stage(file));
    const later = new Date(Date.now() + 60_000).toISOString();
    await push(
      service.url,
      token,
      birthBundle({
        chartNumber: 'S-1',
        lastUpdated: later,
        mother: { family: 'Amaral', given: ['Rosa'] },
      }),
    );
    await imports.confirm(practiceId, MEMBER, importId, false);
    const progress = await endedImport(imports, practiceId, importId);
    assert.equal([progress.accepted, progress.rejected], [0, 1]);
    assert.match(
      await textOf(await imports.resultFile(practiceId, importId)),
      /2,S-1,refused,,,The record was changed after the file was read/,
    );
  },
);

/** Ten thousand in `npm run test:long`. */
const MANY_ROWS = runs(10_000).numRuns;

importing(
  `${MANY_ROWS} rows are previewed, confirmed and imported`,
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const rows = Array.from({ length: MANY_ROWS }, (_, index) =>
      birthRow(`T-${index}`, `Family ${index}`),
    );
    const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, rows));
    const started = performance.now();
    const longest = watchEventLoop();
    const importId = importIdOf(await imports.stage(file));
    const longestMs = longest();
    const stagedMs = performance.now() - started;
    const preview = await imports.preview(practiceId, MEMBER, importId, ALL_ROWS);
    const previewedMs = performance.now() - started - stagedMs;
    assert.equal(preview?.summary.counts, { new: MANY_ROWS, amends: 0, flagged: 0, refused: 0 });
    const confirming = performance.now();
    await imports.confirm(practiceId, MEMBER, importId, false);
    const confirmedMs = performance.now() - confirming;
    const progress = await endedImport(imports, practiceId, importId, 240_000);
    const importedMs = performance.now() - confirming;
    assert.equal([progress.accepted, progress.rejected], [MANY_ROWS, 0]);
    const resultLines = (await textOf(await imports.resultFile(practiceId, importId))).split(
      '\r\n',
    );
    assert.is(resultLines.length, MANY_ROWS + 2);
    console.log(
      `${MANY_ROWS} rows: staged in ${stagedMs.toFixed(0)} ms (event loop held ${longestMs.toFixed(0)} ms at most), previewed in ${previewedMs.toFixed(0)} ms, confirmed in ${confirmedMs.toFixed(0)} ms, imported in ${importedMs.toFixed(0)} ms`,
    );
    // A comparison of each row with all the others takes hours.
    assert.ok(stagedMs < 240_000, `staged in ${stagedMs} ms`);
  },
);

importing(
  'refusals in Chinese, more than one append of the log holds, leave the other rows to be recorded',
  async ({ service, opened: { imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const customFields = Array.from('一二三四五六七八', (sign, order) => ({
      fieldId: `field-${order}`,
      label: sign.repeat(100),
      order,
      type: 'number' as const,
      choices: [],
      item: null,
      isRetired: false,
    }));
    const rowOf = (chart: string, value: string) => [
      ...birthRow(chart, 'Amaral'),
      ...customFields.map(() => value),
    ];
    const refused = 220;
    const text = csvOf(
      [...BIRTH_COLUMNS, ...customFields.map(({ label }) => label)],
      [
        ...Array.from({ length: refused }, (_, row) => rowOf(`${'患'.repeat(250)}${row}`, 'x')),
        rowOf('GOOD', '1'),
      ],
    );
    const entering = { today: '2026-06-01', offsetAt: () => '-04:00', customFields };
    const importId = importIdOf(await imports.stage(fileOf(practiceId, text, { entering })));
    await imports.confirm(practiceId, MEMBER, importId, false);
    const { accepted, rejected } = await endedImport(imports, practiceId, importId);
    assert.equal([accepted, rejected], [1, refused]);
  },
);

/** Measures the longest time, in ms, for which nothing else could run. @returns what ends it */
const watchEventLoop = (): (() => number) => {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
};

importing.run();
