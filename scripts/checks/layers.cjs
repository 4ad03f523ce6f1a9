/** Dependencies point inward: scripts -> api -> {adapters, projections} -> domain. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports-only-domain',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: ['^domain/', '^(node:)?crypto$'] },
    },
    {
      name: 'fhir-stands-alone',
      comment: 'It knows FHIR, nothing of the record and of those who send it.',
      severity: 'error',
      from: { path: '^domain/fhir/' },
      to: { path: '^domain/[^/]+/', pathNot: '^domain/fhir/' },
    },
    {
      name: 'the-record-knows-none-of-its-sources',
      comment:
        'A launch begins with a chart, and a rehearsal reads Bundles again; both only use the record.',
      severity: 'error',
      from: { path: '^domain/(?!bfdr/|us-core/|ehr-launch/|rehearsal/)' },
      to: { path: '^domain/(bfdr|us-core)/' },
    },
    {
      name: 'bundles-and-charts-are-read-apart',
      comment: 'What both read by the same rule is in domain/course-of-care/from-fhir.',
      severity: 'error',
      from: { path: '^domain/(bfdr|us-core)/' },
      to: { path: '^domain/(bfdr|us-core)/', pathNot: '^domain/$1/' },
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
      name: 'only-registry-and-composition-import-adapters',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/(registry|composition)/' },
      to: { path: '^adapters/' },
    },
    {
      name: 'nothing-below-imports-the-composition-root',
      severity: 'error',
      from: { path: '^api/', pathNot: '^api/composition/' },
      to: { path: '^api/composition/' },
    },
    {
      name: 'embedded-parts-stand-alone',
      comment: 'The service talks to them over their wire protocols only.',
      severity: 'error',
      from: { path: '^adapters/embedded-(eventstore|postgres)/' },
      to: { path: '^(domain|projections)/|^adapters/(?!embedded-|protobuf/)' },
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
