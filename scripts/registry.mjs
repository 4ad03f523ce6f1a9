#!/usr/bin/env -S node --max-semi-space-size=16
// Command `registry` of package.json: `npx registry verify` equals `npm run operator -- verify`.
// `push` is for clients without a registry of their own.
if (process.argv[2] !== 'push') process.argv.splice(2, 0, 'operator');
await import('./run.mjs');
