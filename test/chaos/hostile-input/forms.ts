import fc from 'fast-check';
import {
  encode,
  hostileBytes,
  hostileKey,
  hostileText,
  rarely,
  splitWords,
  weighted,
} from './hostile-values.ts';
import {
  buildRequest,
  type Field,
  FORM_TYPE,
  type FoundForm,
  type HostileRequest,
  MARKER,
  type Session,
  type Target,
  UNESCAPED_MARKER,
} from './request.ts';

const MAX_CHANGES = 6;

/** What people type, right and nearly right. */
const typed = fc.constantFrom(
  ...splitWords(`
    Marin Rosa 2026-03-12 03/12/2026 04:31 3400 39 39+4 9 female Hospital hospital NY on true 1 Admin
    Viewer ingest:write text number choice rosa@cedar.example 10013`),
  ...['March 12, 2026', '4:31 pm', '7 lb 8 oz'],
);

/** Names as the lists of a birth have them. */
const listedName = fc
  .tuple(
    fc.constantFrom(...splitWords('children transfers pick picked __proto__ remove add')),
    fc.constantFrom(...splitWords('0 1 19 20 999 1000 -1 00 1e3 __proto__ 99999999999')),
    fc.constantFrom('sex', 'birth_date', 'birth_weight_grams', 'constructor', ''),
  )
  .map((parts) => parts.join('.'));

/** A change of the list of fields: of the one with this index, whose name is given. */
type FieldChange = (fields: Field[], at: number, name: string) => unknown;

const fieldChange = weighted<FieldChange>(
  [12, hostileText.map((text) => (fields, at, name) => fields.splice(at, 1, [name, text]))],
  [3, (fields, at, name) => fields.splice(at, 1, [name, UNESCAPED_MARKER])],
  [3, (fields, at) => fields.splice(at, 1)],
  [3, hostileText.map((text) => (fields, _at, name) => fields.push([name, text]))],
  [2, fc.tuple(hostileKey, hostileText).map((field) => (fields) => fields.push(field))],
  [1, (fields, _at, name) => fields.push([`${name}[__proto__]`, MARKER])],
  [3, fc.tuple(listedName, hostileText).map((field) => (fields) => fields.push(field))],
);

/** The fields of a form: filled in where they were empty, and changed somewhere. */
const changeFields = (fields: readonly Field[]): fc.Arbitrary<readonly Field[]> =>
  fc
    .tuple(
      fc.tuple(
        ...fields.map(([, value]) =>
          value === '' ? weighted([4, ''], [6, typed]) : fc.constant(value),
        ),
      ),
      fc.array(fc.tuple(fc.nat(), fieldChange, hostileKey), { maxLength: MAX_CHANGES }),
    )
    .map(([values, changes]) => {
      const sent = fields.map(([name], index): Field => [name, values[index] ?? '']);
      for (const [at, apply, key] of changes) {
        const index = at % Math.max(1, sent.length);
        apply(sent, index, sent[index]?.[0] ?? key);
      }
      return sent;
    });

/** Fields as a browser sends them. */
export const encodeFields = (fields: readonly Field[]): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

const formType = weighted(
  [95, FORM_TYPE],
  [
    5,
    fc.constantFrom(
      ...['', 'text/plain', 'application/json', 'multipart/form-data'],
      ...[`${FORM_TYPE}; charset=utf-16`, `${FORM_TYPE}; charset="`],
      ...['', 'b'.repeat(200)].map((boundary) => `multipart/form-data; boundary=${boundary}`),
    ),
  ],
);

/** What is put around an encoded form. */
const formEnvelope = weighted<(body: string) => string>(
  [300, (body) => body],
  [10, (body) => `${body}&%zz=%&a=%e0%a4&=&&&[]=%00`],
  [5, fc.constantFrom(100, 2_100).map((times) => (body) => `${body}${'&a=1'.repeat(times)}`)],
  [
    2,
    fc
      .constantFrom(100_000, 1_100_000)
      .map((bytes) => (body) => `${body}&big=${'x'.repeat(bytes)}`),
  ],
  [5, (body) => body.replaceAll('&', ';')],
);

/** Headers of a browser, in one of twenty cases without its cookie. */
const browserHeaders = (session: Session, type: fc.Arbitrary<string>): fc.Arbitrary<Field[]> =>
  fc
    .tuple(rarely(20, true), type)
    .map(([isWithoutCookie, value]) => [
      ...(isWithoutCookie ? [] : [['Cookie', session.cookie] as const]),
      ['Content-Type', value],
      ['Accept', 'text/html'],
    ]);

const changedForm = (
  target: Target,
  session: Session,
  { method, action, fields }: FoundForm,
): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      sent: changeFields(fields),
      headers: browserHeaders(session, method === 'GET' ? fc.constant('') : formType),
      isWithoutToken: rarely(33, true),
      envelope: formEnvelope,
    })
    .map(({ sent, headers, isWithoutToken, envelope }) => {
      const token: readonly Field[] = isWithoutToken ? [] : [['_csrf', session.csrfToken]];
      const [path, body] =
        method === 'GET'
          ? [`${action}?${encodeFields(sent).slice(0, 12_000)}`, null]
          : [action, envelope(encodeFields([...token, ...sent]))];
      const bytes = buildRequest(target, method, path, headers, body);
      return { kind: 'changed forms', bytes, forbidden: [UNESCAPED_MARKER] };
    });

/** A form found on a page, with other things in it. */
export const changedForms = (target: Target): fc.Arbitrary<HostileRequest> =>
  fc.oneof(
    ...target.sessions.map((session) =>
      fc.oneof(...session.forms.map((form) => changedForm(target, session, form))),
    ),
  );

/** The form of a sign-in, without an account. */
export const hostileSignIns = (target: Target): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      fields: fc
        .constantFrom('//elsewhere.example', '/\\elsewhere', '/registry\r\nX-Injected: 1', '')
        .chain((next) =>
          changeFields([
            ['email', 'rosa@cedar.example'],
            ['password', 'not the password'],
            ['next', next],
          ]),
        ),
      next: hostileText,
    })
    .map(({ fields, next }) => ({
      kind: 'sign-ins',
      bytes: buildRequest(
        target,
        'POST',
        `/sign-in?next=${encode(next).slice(0, 9_000)}`,
        [['Content-Type', FORM_TYPE]],
        encodeFields(fields),
      ),
      forbidden: [UNESCAPED_MARKER],
    }));

/** The columns of a file, with what stands in them when it can be imported. */
const CELLS: Readonly<Record<string, string>> = {
  chart_number: 'C-',
  mother_family_name: 'Marin',
  mother_given_name: 'Rosa',
  mother_birth_date: '1994-07-02',
  city: 'Tacoma',
  child1_birth_date: '2026-03-12',
  child1_birth_time: '04:31',
  child1_sex: 'female',
  child1_birth_weight_grams: '3400',
  place_of_birth: 'Hospital',
  child2_sex: '',
  transfer1_reason: '',
  induction: '',
  augmentation_agents: '',
};
const COLUMNS = Object.keys(CELLS);

const hostileColumn = weighted(
  [4, hostileText.map((text) => text.slice(0, 2_000))],
  [2, hostileKey],
  [2, fc.constantFrom(...splitWords('0 20 21 999999999999 -1 1e9')).map((n) => `child${n}_sex`)],
  [2, fc.constantFrom(...COLUMNS)],
);

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Texts that are no table at all, or one with something around it. */
const fileEnvelope = weighted<(text: string, comma: string, lineEnd: string) => string>(
  [200, (text) => text],
  [10, (text) => `\ufeff${text}`],
  [10, fc.constantFrom(';', '', '\0', 'é').map((sign) => (text) => `sep=${sign}\n${text}`)],
  [20, (text) => `${text}"`],
  [20, (text) => text.replaceAll('"', '')],
  [5, (text, _comma, lineEnd) => `${text}${lineEnd.repeat(5_000)}`],
  [5, fc.constantFrom(10, 5_000, 100_000).map((times) => (_text, comma) => comma.repeat(times))],
  [5, fc.constantFrom(1, 3, 100_001).map((times) => () => '"'.repeat(times))],
  [1, (_text, _comma, lineEnd) => `chart_number${lineEnd}${'x'.repeat(2_000_000)}`],
  [5, () => ''],
);

/** A file of births with wrong things in it. */
const csvText: fc.Arbitrary<string> = fc
  .record({
    known: fc.subarray(COLUMNS, { minLength: COLUMNS.length - 6 }),
    others: fc.array(hostileColumn, { maxLength: 3 }),
    comma: weighted([80, ','], [40, fc.constantFrom(';', '\t')], [10, '|'], [3, '']),
    lineEnd: weighted([80, fc.constantFrom('\r\n', '\n')], [10, '\r'], [5, '\n\r'], [2, '\0']),
    rows: weighted([800, fc.constantFrom(1, 5)], [100, 0], [30, 300], [2, 10_001]),
    firstChart: fc.nat(50),
    quotedOneIn: fc.constantFrom(1, 2, 3, 1_000_000),
    hostileCells: fc.array(fc.tuple(fc.nat(), fc.nat(), hostileText), { maxLength: 5 }),
    shortRows: fc.array(fc.tuple(fc.nat(), fc.nat(COLUMNS.length)), { maxLength: 2 }),
    envelope: fileEnvelope,
  })
  .map(({ known, others, comma, lineEnd, rows, firstChart, quotedOneIn, ...hostile }) => {
    const columns = [...known, ...others];
    const cellOf = (row: number) => (column: string) =>
      column === 'chart_number'
        ? `C-${row + firstChart}`
        : (Object.hasOwn(CELLS, column) && CELLS[column]) || '';
    const table = Array.from({ length: rows }, (_, row) => columns.map(cellOf(row)));
    for (const [row, column, text] of hostile.hostileCells)
      table[row % Math.max(1, rows)]?.splice(column % Math.max(1, columns.length), 1, text);
    for (const [row, cells] of hostile.shortRows) table[row % Math.max(1, rows)]?.splice(cells);
    const lines = table.map((cells, row) =>
      cells.map((cell, at) => ((row + at) % quotedOneIn === 0 ? quote(cell) : cell)).join(comma),
    );
    const text = [columns.map(quote).join(comma), ...lines].join(lineEnd);
    return hostile.envelope(text, comma, lineEnd);
  });

const file: fc.Arbitrary<Buffer> = weighted(
  [40, csvText.map((text) => Buffer.from(text))],
  [2, csvText.map((text) => Buffer.from(text, 'utf16le'))],
  [4, csvText.map((text) => Buffer.from(text, 'latin1'))],
  [2, hostileBytes(500)],
  [1, Buffer.from('PK\u0003\u0004\u0014\0\u0006\0', 'latin1')],
);

const fileName = weighted(
  [6, 'births.csv'],
  [4, hostileText.map((text) => text.replaceAll(/["\r\n]/g, '').slice(0, 500))],
);

/** A part of a form, after its boundary. */
type Part = readonly [head: string, content: Buffer | string];

const field = (name: string, content: Buffer | string): Part => [
  `Content-Disposition: form-data; name="${name}"`,
  content,
];

/** The parts that are sent, of the token's part and the file's; null ends the form. */
const formParts = weighted<(token: Part, upload: Part) => readonly (Part | null)[]>(
  [60, (token, upload) => [token, upload, null]],
  [2, (token, upload) => [upload, token, null]],
  [2, (token, upload) => [token, upload]],
  [2, (token, upload) => [token, upload, upload, null]],
  [2, (token, upload) => [token, token, token, upload, null]],
  [2, (token, upload) => [token, field('__proto__', MARKER), upload, null]],
  [
    2,
    hostileText.map((text) => (token, upload) => {
      const [head, content] = field('instead_of', text);
      return [token, [`${'X-Part: 1\r\n'.repeat(50)}${head}`, content], upload, null];
    }),
  ],
  [2, (token, upload) => [token, ['Content-Disposition: attachment', MARKER], upload, null]],
  [1, (token) => [token, field('n'.repeat(90_000), ''), null]],
  [2, () => [null]],
  [2, () => []],
);

/** Mostly the Admin: the staff have no role that imports. */
const importer = ({ sessions: [admin, staff] }: Target) => weighted([95, admin], [5, staff]);

/** The form that uploads a file. */
export const hostileFiles = (target: Target): fc.Arbitrary<HostileRequest> =>
  importer(target).chain((session) =>
    fc
      .record({
        boundary: fc.constantFrom('x', '----registry', "'()+_,-./:=?", 'b'.repeat(70)),
        content: file,
        name: fileName,
        parts: formParts,
        preamble: rarely(40, '\r\n'.repeat(100)),
      })
      .chain(({ boundary, content, name, parts, preamble }) => {
        const upload = field(`file"; filename="${name}`, content);
        const body = parts(field('_csrf', session.csrfToken), [
          `${upload[0]}\r\nContent-Type: text/csv`,
          content,
        ]).flatMap((part) =>
          part === null
            ? [`--${boundary}--\r\n`]
            : [`--${boundary}\r\n${part[0]}\r\n\r\n`, part[1], '\r\n'],
        );
        const type = `multipart/form-data; boundary="${boundary}"`;
        return browserHeaders(session, fc.constant(type)).map((headers) => ({
          kind: 'files',
          bytes: buildRequest(
            target,
            'POST',
            '/registry/import',
            headers,
            Buffer.concat([preamble ?? '', ...body].map((piece) => Buffer.from(piece))),
          ),
          forbidden: [UNESCAPED_MARKER],
        }));
      }),
  );

/** So many checked files of a member are kept. */
const KEPT_CHECKS = 3;

/** Imports a file that was checked, drops it, or asks what became of it. */
export const confirmedFiles = (target: Target): fc.Arbitrary<HostileRequest> =>
  fc
    .record({
      session: importer(target),
      last: fc.integer({ min: 1, max: KEPT_CHECKS }),
      what: weighted([8, 'confirm'], [3, fc.constantFrom('drop', 'progress', 'result.csv')]),
    })
    .map(({ session: { cookie, csrfToken }, last, what }) => {
      const address = target.checkedFiles.at(-last) ?? target.checkedFiles.at(-1);
      const isAsked = what === 'progress' || what === 'result.csv';
      const headers: readonly Field[] = [
        ['Cookie', cookie],
        ['Content-Type', FORM_TYPE],
      ];
      const [method, body] = isAsked
        ? ['GET', null]
        : ['POST', `_csrf=${encodeURIComponent(csrfToken)}&again=on`];
      return {
        kind: 'confirmed files',
        bytes: buildRequest(target, method, `${address}/${what}`, headers, body),
        // The result gives each row back as it was uploaded: it is a file, not a page.
        forbidden: what === 'result.csv' ? [] : [UNESCAPED_MARKER],
      };
    });
