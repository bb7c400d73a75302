/** Code and the tests that must notice its changes. Mutants run only these tests. */
export interface Area {
  name: string;
  /** The percentage of mutants that the tests must kill. */
  bar: number;
  /** Patterns of the mutated files. */
  code: string[];
  /** Patterns of test files. */
  tests: string[];
}

/** All of lib/ and functions/ except the hand-rolled counter, whose faults are known. */
export const areas: Area[] = [
  {
    name: 'idempotency',
    bar: 90,
    code: ['packages/powertools-idempotency-transactional/src/*.ts'],
    tests: ['packages/powertools-idempotency-transactional/tests/{unit,integration}/*.test.ts'],
  },
  {
    name: 'clicks',
    bar: 90,
    code: [
      'lib/clicks/*.ts',
      'lib/{code-schema,keys,validation}.ts',
      'functions/{aggregate-clicks,resolve-link}.ts',
    ],
    tests: [
      'tests/unit/validation.test.ts',
      'tests/unit/{clicks,links}/*.test.ts',
      'tests/integration/clicks/*.test.ts',
    ],
  },
  {
    name: 'live',
    bar: 80,
    code: [
      'lib/live/*.ts',
      'functions/{{authorize,close,open}-connection,{try,serve,watch}-*,get-backlog,push-counts}.ts',
    ],
    tests: ['tests/{unit,integration}/live/*.test.ts'],
  },
  {
    name: 'links',
    bar: 80,
    code: [
      'lib/{api-keys,aws,bundle,dynamodb,http,links,telemetry}/*.ts',
      'lib/{chunk,config,domain}.ts',
      'functions/{create,delete,import,list,update}-link*.ts',
      'functions/{get-link-stats,manage-keys,purge-links}.ts',
    ],
    tests: [
      'tests/unit/config.test.ts',
      'tests/unit/{api-keys,aws,clicks,dynamodb,http,links,telemetry}/*.test.ts',
      'tests/integration/links/*.test.ts',
    ],
  },
];
