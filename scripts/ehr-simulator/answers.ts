import type { ServerResponse } from 'node:http';

export const json = (
  res: ServerResponse,
  status: number,
  body: unknown,
  type = 'application/json',
): void => {
  res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
};

export const fhir = (res: ServerResponse, status: number, body: unknown): void =>
  json(res, status, body, 'application/fhir+json');

export const html = (res: ServerResponse, status: number, body: string): void => {
  res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
  res.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>EHR</title>${body}</html>`);
};

export const redirect = (res: ServerResponse, address: string): void => {
  res.writeHead(302, { Location: address });
  res.end();
};

/** Starts a response and never ends it. */
export const silence = (res: ServerResponse): void => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.write('{');
};

export const flood = (res: ServerResponse, bytes: number): void => {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(`{"resourceType":"Bundle","filler":"${'x'.repeat(bytes)}"}`);
};
