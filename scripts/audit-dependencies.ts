import { auditDependencies } from './supply/audit-dependencies.ts';

process.exitCode = await auditDependencies(
  process.env,
  (line) => void process.stdout.write(`${line}\n`),
);
