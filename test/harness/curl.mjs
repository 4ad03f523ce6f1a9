// A stand-in for curl on machines that have none: what the guides ask of it, and nothing else.
// `fetch` would not do: it writes the names of headers in its own way, and they are shown.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    cookie: { type: 'string', short: 'b' },
    'cookie-jar': { type: 'string', short: 'c' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    'dump-header': { type: 'string', short: 'D' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w', default: '' },
    'data-binary': { type: 'string' },
  },
});
const [address = ''] = positionals;

const contentOf = (data) => {
  if (!data?.startsWith('@')) return data;
  return readFileSync(data === '@-' ? 0 : data.slice(1));
};

/** Cookies by their names: the guides talk to one host. */
const readCookies = (file) =>
  new Map(
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined,
  );

const cookies = readCookies(values.cookie);
const body = contentOf(values['data-binary']);
const headers = {
  Accept: '*/*',
  ...(cookies.size > 0 && { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
  ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
  ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
};
for (const line of values.header) {
  const [name, ...value] = line.split(':');
  const given = Object.keys(headers).find((known) => known.toLowerCase() === name.toLowerCase());
  headers[given ?? name] = value.join(':').trim();
}

/** One address for each number where one holds a range of them, such as `[1-121]`. */
const addressesOf = (address) => {
  const [range, first, last] = /\[(\d+)-(\d+)\]/.exec(address) ?? [];
  if (range === undefined) return [address];
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => Number(first) + index);
  return numbers.map((number) => address.replace(range, number));
};

const ask = (address) =>
  new Promise((resolve, reject) => {
    const asking = request(address, { method: body === undefined ? 'GET' : 'POST', headers });
    asking.once('error', reject);
    asking.once('response', resolve);
    asking.end(body);
  });

const keep = (answer, head) => {
  for (const cookie of answer.headers['set-cookie'] ?? []) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  if (values['cookie-jar'] !== undefined)
    writeFileSync(values['cookie-jar'], JSON.stringify([...cookies]));
  if (values['dump-header'] !== undefined) writeFileSync(values['dump-header'], head);
};

const CANNOT_CONNECT = 7;

for (const one of addressesOf(address)) {
  const answer = await ask(one).catch(() => process.exit(CANNOT_CONNECT));
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { httpVersion, statusCode, statusMessage, rawHeaders } = answer;
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
  );
  const head = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...lines, '', ''].join(
    '\r\n',
  );
  keep(answer, head);
  const shown = Buffer.concat([Buffer.from(values.include ? head : ''), ...chunks]);
  if (values.output === undefined) process.stdout.write(shown);
  else writeFileSync(values.output, shown);
  process.stdout.write(
    values['write-out']
      .replaceAll(/%header\{([^}]*)\}/g, (_, name) => answer.headers[name] ?? '')
      .replaceAll('%{http_code}', String(statusCode))
      .replaceAll('\\n', '\n'),
  );
}
