import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '../../api/openapi/document.ts';
import { lintContract } from '../../scripts/contract/contract-lint.ts';

const lint = suite('the lint of the contract');

// biome-ignore lint/suspicious/noExplicitAny: any place of the document may be changed
type Changed = any;

const rulesBrokenBy = (change: (document: Changed) => void): readonly string[] => {
  const document: Changed = structuredClone(openApiDocument('https://registry.example'));
  change(document);
  return lintContract(document).map((line) => line.split(': ')[0] ?? '');
};

lint('has nothing against the contract as it is', () => {
  assert.equal(
    rulesBrokenBy(() => undefined),
    [],
  );
});

lint('finds constants and lists of values without a type, wherever they are', () => {
  const broken = rulesBrokenBy(({ components, paths }) => {
    delete components.headers.WwwAuthenticate.schema.type;
    delete components.schemas.CompletedReceipt.properties.status.type;
    delete components.schemas.UnfinishedReceipt.properties.status.type;
    paths['/api/registry/fhir/Bundle'].post.parameters.push({
      name: 'X-Mode',
      in: 'header',
      description: 'Some mode.',
      schema: { type: 'array', items: { enum: ['a', 'b'] } },
    });
  });
  assert.equal([...broken].sort(), [
    'rule/const-has-type at #/components/headers/WwwAuthenticate/schema/type',
    'rule/const-has-type at #/components/schemas/CompletedReceipt/properties/status/type',
    'rule/enum-has-type at #/components/schemas/UnfinishedReceipt/properties/status/type',
    'rule/enum-has-type at #/paths/~1api~1registry~1fhir~1Bundle/post/parameters/1/schema/items/type',
  ]);
});

lint('finds objects that do not say whether they are open, nested ones too', () => {
  const broken = rulesBrokenBy(({ components: { schemas } }) => {
    delete schemas.BundleMeta.additionalProperties;
    schemas.FailedOutcome.properties.step = { type: 'object', properties: {} };
    schemas.FailedOutcome.properties.steps = { type: ['object', 'null'] };
    schemas.FailedOutcome.properties.stepped = { properties: {} };
  });
  const added = '#/components/schemas/FailedOutcome/properties';
  assert.equal([...broken].sort(), [
    'rule/object-has-type at #/components/schemas/FailedOutcome/properties/stepped/type',
    'rule/object-says-whether-open at #/components/schemas/BundleMeta/additionalProperties',
    `rule/object-says-whether-open at ${added}/step/additionalProperties`,
    `rule/object-says-whether-open at ${added}/steps/additionalProperties`,
  ]);
});

lint('finds what Redocly recommends against', () => {
  const broken = rulesBrokenBy(({ info, paths }) => {
    delete info.license;
    delete paths['/openapi.json'].get.operationId;
  });
  assert.equal([...broken].sort(), [
    'info-license at #/info',
    'operation-operationId at #/paths/~1openapi.json/get/operationId',
  ]);
});

lint.run();
