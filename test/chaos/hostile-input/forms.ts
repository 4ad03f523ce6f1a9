import type { Random } from '../../../scripts/synthesis/random.ts';
import {
  type Attempt,
  type Generator,
  MARKER,
  requestOf,
  type Session,
  type Target,
  UNESCAPED_MARKER,
} from './attempt.ts';
import { hostileKey, hostileText, wellFormed } from './hostile-values.ts';

type Field = readonly [string, string];

const MOST_CHANGES = 6;

/** What people type, right and nearly right. */
const TYPED: readonly string[] = [
  'Marin',
  'Rosa',
  '2026-03-12',
  '03/12/2026',
  'March 12, 2026',
  '04:31',
  '4:31 pm',
  '3400',
  '7 lb 8 oz',
  '39',
  '39+4',
  '9',
  'female',
  'Hospital',
  'hospital',
  'NY',
  'on',
  'true',
  '1',
  'Admin',
  'Viewer',
  'ingest:write',
  'text',
  'number',
  'choice',
  'rosa@cedar.example',
  '10013',
];

const changed = (random: Random, fields: readonly Field[]): Field[] => {
  const sent = fields.map(
    ([name, value]): Field => [
      name,
      value === '' && random.chance(0.6) ? random.pick(TYPED) : value,
    ],
  );
  for (let left = random.whole(0, MOST_CHANGES); left > 0; left -= 1) {
    const at = random.whole(0, Math.max(0, sent.length - 1));
    const [name] = sent[at] ?? [hostileKey(random)];
    random.weighted<() => unknown>([
      [() => sent.splice(at, 1, [name, hostileText(random)]), 12],
      [() => sent.splice(at, 1, [name, UNESCAPED_MARKER]), 3],
      [() => sent.splice(at, 1), 3],
      [() => sent.push([name, hostileText(random)]), 3],
      [() => sent.push([hostileKey(random), hostileText(random)]), 2],
      [() => sent.push([`${name}[__proto__]`, MARKER]), 1],
      [() => sent.push([listed(random), hostileText(random)]), 3],
    ])();
  }
  return sent;
};

/** Names as the lists of a birth have them. */
const listed = (random: Random): string =>
  `${random.pick(['children', 'transfers', 'pick', 'picked', '__proto__', 'remove', 'add'])}.${random.pick(
    ['0', '1', '19', '20', '999', '1000', '-1', '00', '1e3', '__proto__', '99999999999'],
  )}.${random.pick(['sex', 'birth_date', 'birth_weight_grams', 'constructor', ''])}`;

const urlEncoded = (fields: readonly Field[]): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

const FORM_TYPES: readonly string[] = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/x-www-form-urlencoded; charset="',
  'application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'b'.repeat(200)}`,
  'text/plain',
  '',
];

const headersOf = (random: Random, session: Session, type: string): Field[] => [
  ...(random.chance(0.95) ? [['Cookie', session.cookie] as const] : []),
  ['Content-Type', type],
  ['Accept', 'text/html'],
];

/** A form found on a page, with other things in it. */
export const changedForms: Generator = (random, target): Attempt => {
  const session = random.pick(target.sessions);
  const form = random.pick(session.forms);
  const fields = changed(random, form.fields);
  if (form.method === 'GET') {
    const path = `${form.action}?${urlEncoded(fields).slice(0, 12_000)}`;
    const bytes = requestOf(target, 'GET', path, headersOf(random, session, ''));
    return { bytes, forbidden: [UNESCAPED_MARKER] };
  }
  const withToken: readonly Field[] = random.chance(0.97)
    ? [['_csrf', session.csrfToken], ...fields]
    : fields;
  const body = random.weighted<() => string>([
    [() => urlEncoded(withToken), 30],
    [() => `${urlEncoded(withToken)}&%zz=%&a=%e0%a4&=&&&[]=%00`, 1],
    [() => `${urlEncoded(withToken)}${'&a=1'.repeat(random.pick([100, 2_100]))}`, 0.5],
    [() => `${urlEncoded(withToken)}&big=${'x'.repeat(random.pick([100_000, 1_100_000]))}`, 0.2],
    [() => urlEncoded(withToken).replaceAll('&', ';'), 0.5],
  ])();
  const type = random.chance(0.95) ? (FORM_TYPES[0] ?? '') : random.pick(FORM_TYPES);
  return {
    bytes: requestOf(
      target,
      'POST',
      form.action,
      headersOf(random, session, type),
      Buffer.from(body),
    ),
    forbidden: [UNESCAPED_MARKER],
  };
};

/** The form of a sign-in, without an account. */
export const strangeSignIns: Generator = (random, target): Attempt => {
  const fields = changed(random, [
    ['email', 'rosa@cedar.example'],
    ['password', 'not the password'],
    [
      'next',
      random.pick(['//elsewhere.example', '/\\elsewhere', '/registry\r\nX-Injected: 1', '']),
    ],
  ]);
  const path = `/sign-in?next=${encodeURIComponent(wellFormed(hostileText(random))).slice(0, 9_000)}`;
  const headers: Field[] = [['Content-Type', FORM_TYPES[0] ?? '']];
  return {
    bytes: requestOf(target, 'POST', path, headers, Buffer.from(urlEncoded(fields))),
    forbidden: [UNESCAPED_MARKER],
  };
};

const IMPORT = '/registry/import';
const COLUMNS: readonly string[] = [
  'chart_number',
  'mother_family_name',
  'mother_given_name',
  'mother_birth_date',
  'city',
  'child1_birth_date',
  'child1_birth_time',
  'child1_sex',
  'child1_birth_weight_grams',
  'place_of_birth',
  'child2_sex',
  'transfer1_reason',
  'induction',
  'augmentation_agents',
];

/** What stands in the columns of a file that can be imported. */
const PLAIN_CELLS: ReadonlyMap<string, string> = new Map([
  ['mother_family_name', 'Marin'],
  ['mother_given_name', 'Rosa'],
  ['mother_birth_date', '1994-07-02'],
  ['city', 'Tacoma'],
  ['child1_birth_date', '2026-03-12'],
  ['child1_birth_time', '04:31'],
  ['child1_sex', 'female'],
  ['child1_birth_weight_grams', '3400'],
  ['place_of_birth', 'Hospital'],
]);

const plainCell = (random: Random, row: number, column: string): string => {
  if (column === 'chart_number') return `C-${row + random.whole(0, 50)}`;
  return PLAIN_CELLS.get(column) ?? '';
};

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A file of births with wrong things in it. */
const csvText = (random: Random): string => {
  const columns = COLUMNS.filter(() => random.chance(0.8));
  for (let left = random.whole(0, 3); left > 0; left -= 1)
    columns.push(
      random.weighted<() => string>([
        [() => hostileText(random).slice(0, 2_000), 4],
        [() => hostileKey(random), 2],
        [() => `child${random.pick(['0', '20', '21', '999999999999', '-1', '1e9'])}_sex`, 2],
        [() => random.pick(COLUMNS), 2],
      ])(),
    );
  const comma = random.weighted([
    [',', 8],
    [';', 2],
    ['\t', 2],
    ['|', 1],
    ['', 0.3],
  ]);
  const lineEnd = random.weighted([
    ['\r\n', 4],
    ['\n', 4],
    ['\r', 1],
    ['\n\r', 0.5],
    ['\0', 0.2],
  ]);
  const rows = random.weighted([
    [1, 4],
    [5, 4],
    [0, 1],
    [300, 0.3],
    [10_001, 0.02],
  ]);
  const lines = Array.from({ length: rows }, (_, row) =>
    columns
      .map((column) => {
        const cell = random.chance(0.95) ? plainCell(random, row, column) : hostileText(random);
        return random.chance(0.5) ? quoted(cell) : cell;
      })
      .slice(0, random.chance(0.95) ? columns.length : random.whole(0, columns.length))
      .join(comma),
  );
  const text = [columns.map(quoted).join(comma), ...lines].join(lineEnd);
  return random.weighted<() => string>([
    [() => text, 20],
    [() => `\ufeff${text}`, 1],
    [() => `sep=${random.pick([';', '', '\0', 'é'])}\n${text}`, 1],
    [() => `${text}"`, 2],
    [() => text.replaceAll('"', ''), 2],
    [() => `${text}${lineEnd.repeat(5_000)}`, 0.5],
    [() => comma.repeat(random.pick([10, 5_000, 100_000])), 0.5],
    [() => '"'.repeat(random.pick([1, 3, 100_001])), 0.5],
    [() => `chart_number${lineEnd}${'x'.repeat(2_000_000)}`, 0.1],
    [() => '', 0.5],
  ])();
};

const BOUNDARIES: readonly string[] = ['x', '----registry', "'()+_,-./:=?", 'b'.repeat(70)];

/** Mostly the Admin: the staff have no seat that imports. */
const importerOf = (random: Random, { sessions }: Target): Session =>
  (random.chance(0.9) ? sessions[0] : undefined) ?? random.pick(sessions);

/** So many checked files of a member are kept. */
const KEPT_CHECKS = 3;

/** Imports a file that was checked, or drops it. */
export const confirmedFiles: Generator = (random, target, n): Attempt => {
  const { checkedFiles } = target;
  if (checkedFiles.length === 0) return strangeFiles(random, target, n);
  const session = importerOf(random, target);
  const address = random.pick(checkedFiles.slice(-KEPT_CHECKS));
  const what = random.weighted([
    ['confirm', 8],
    ['drop', 1],
    ['progress', 1],
    ['result.csv', 1],
  ]);
  const isAsked = what === 'progress' || what === 'result.csv';
  const fields: Field[] = [
    ['_csrf', session.csrfToken],
    ['again', 'on'],
  ];
  const headers = headersOf(random, session, FORM_TYPES[0] ?? '');
  const body = isAsked ? null : Buffer.from(urlEncoded(fields));
  return {
    bytes: requestOf(target, isAsked ? 'GET' : 'POST', `${address}/${what}`, headers, body),
    // The result gives each row back as it was uploaded: it is a file, not a page.
    forbidden: what === 'result.csv' ? [] : [UNESCAPED_MARKER],
  };
};

/** The form that uploads a file. */
export const strangeFiles: Generator = (random, target): Attempt => {
  const session = importerOf(random, target);
  const boundary = random.pick(BOUNDARIES);
  const text = csvText(random);
  const file = random.weighted<() => Buffer>([
    [() => Buffer.from(text), 20],
    [() => Buffer.from(text, 'utf16le'), 1],
    [() => Buffer.from(text, 'latin1'), 2],
    [() => Buffer.from(Array.from({ length: 500 }, () => random.whole(0, 255))), 1],
    [() => Buffer.from('PK\u0003\u0004\u0014\0\u0006\0', 'latin1'), 0.5],
  ])();
  const name = random.chance(0.6)
    ? 'births.csv'
    : hostileText(random)
        .replaceAll(/["\r\n]/g, '')
        .slice(0, 500);
  const part = (head: string, content: Buffer | string) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const token = part('Content-Disposition: form-data; name="_csrf"', session.csrfToken);
  const brought = part(
    `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv`,
    file,
  );
  const end = Buffer.from(`--${boundary}--\r\n`);
  const parts = random.weighted<() => readonly Buffer[]>([
    [() => [...token, ...brought, end], 30],
    [() => [...brought, ...token, end], 1],
    [() => [...token, ...brought], 1],
    [() => [...token, ...brought, ...brought, end], 1],
    [() => [...token, ...token, ...token, ...brought, end], 1],
    [
      () => [
        ...token,
        ...part('Content-Disposition: form-data; name="__proto__"', MARKER),
        ...brought,
        end,
      ],
      1,
    ],
    [
      () => [
        ...token,
        ...part(
          `${'X-Part: 1\r\n'.repeat(50)}Content-Disposition: form-data; name="instead_of"`,
          hostileText(random),
        ),
        ...brought,
        end,
      ],
      1,
    ],
    [() => [...token, ...part('Content-Disposition: attachment', MARKER), ...brought, end], 1],
    [
      () => [
        ...token,
        ...part(`Content-Disposition: form-data; name="${'n'.repeat(90_000)}"`, ''),
        end,
      ],
      0.5,
    ],
    [() => [Buffer.from('\r\n'.repeat(100)), ...token, ...brought, end], 1],
    [() => [end], 1],
    [() => [], 1],
  ])();
  const type = `multipart/form-data; boundary="${boundary}"`;
  return {
    bytes: requestOf(
      target,
      'POST',
      IMPORT,
      headersOf(random, session, type),
      Buffer.concat(parts),
    ),
    forbidden: [UNESCAPED_MARKER],
  };
};
