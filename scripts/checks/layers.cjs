/** Dependencies point inward: scripts -> api -> {adapters, projections} -> domain. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folder-cycles',
      comment: 'Two folders that import each other are one, or share a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(domain|projections|transparency-log|adapters|api)(/|$)' },
      to: { circular: true, pathNot: '^scripts' },
    },
    {
      name: 'domain-imports-only-domain',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'fhir-stands-alone',
      comment: 'It knows FHIR, but neither the record nor its senders.',
      severity: 'error',
      from: { path: '^domain/fhir/' },
      to: { path: '^domain/[^/]+/', pathNot: '^domain/fhir/' },
    },
    {
      name: 'the-record-does-not-know-its-lanes',
      severity: 'error',
      from: { path: '^domain/(course|birth-record)/' },
      to: { path: '^domain/mapping/' },
    },
    {
      name: 'no-lane-imports-another',
      comment:
        'All read what a person typed by the rules of the form, and Bundles and charts share from-fhir.',
      severity: 'error',
      from: { path: '^domain/mapping/([^/]+)/' },
      to: {
        path: '^domain/mapping/[^/]+/',
        pathNot: '^domain/mapping/($1|from-fhir|form)/',
      },
    },
    {
      name: 'the-log-library-stands-alone',
      comment: 'RFC 6962 and C2SP know nothing of births; only its hashes come from Node.',
      severity: 'error',
      from: { path: '^transparency-log/' },
      to: { pathNot: '^transparency-log/|^(node:)?crypto$' },
    },
    {
      name: 'tables-do-not-know-what-is-queried-from-them',
      severity: 'error',
      from: { path: '^projections/tables/' },
      to: { path: '^projections/lists/' },
    },
    {
      name: 'projections-import-domain',
      severity: 'error',
      from: { path: '^projections/' },
      to: { path: '^(adapters|api|scripts|test)/' },
    },
    {
      name: 'adapters-import-inward',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^(api|scripts|test)/' },
    },
    {
      name: 'api-imports-inward',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: '^(scripts|test)/' },
    },
    {
      name: 'only-what-binds-ports-imports-adapters',
      comment: 'All else takes a port, or the port of an internal of Node.',
      severity: 'error',
      from: {
        path: '^api/',
        pathNot: '^api/(app|health|operator|ports|reading|settings|stores|transparency-log)/',
      },
      to: { path: '^adapters/', pathNot: '^adapters/package-internals/node/' },
    },
    {
      name: 'nothing-below-imports-the-composition',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/(app|operator)/' },
      to: { path: '^api/(app|operator)/' },
    },
    {
      name: 'page-folders-stand-alone',
      comment: 'Code of two page folders belongs in parts, layout, or text.',
      severity: 'error',
      from: { path: '^api/pages/([^/]+)/' },
      to: {
        path: '^api/pages/[^/]+/',
        pathNot: '^api/pages/($1|layout|text|second-factor|assets|parts)/',
      },
    },
    {
      name: 'shared-parts-know-no-page',
      severity: 'error',
      from: { path: '^api/pages/(layout|text|second-factor)/' },
      to: {
        path: '^api/pages/[^/]+/',
        pathNot: '^api/pages/(layout|text|second-factor|assets)/',
      },
    },
    {
      name: 'package-internals-in-one-folder',
      comment: 'What is not public in a package breaks with its next version.',
      severity: 'error',
      from: {
        path: '^(adapters|api)/',
        pathNot: '^adapters/(package-internals|embedded-eventstore)/',
      },
      to: { path: '^node_modules/@eventstore/db-client/(generated|dist/(?!index))' },
    },
    {
      name: 'embedded-parts-stand-alone',
      comment: 'The service talks to them over their wire protocols only.',
      severity: 'error',
      from: { path: '^adapters/embedded-(eventstore|postgres)/' },
      to: {
        path: '^(domain|projections)/|^adapters/(?!embedded-|files/|protobuf/|package-internals/node/)',
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // It is of types only: the compiler finds them, nothing runs.
      to: { couldNotResolve: true, pathNot: '^kubernetes-types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A package of its own, with dependencies of its own that only the benchmark installs.
    exclude: { path: '^test/bench/baselines/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
