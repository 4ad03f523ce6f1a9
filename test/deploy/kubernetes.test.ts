import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Secret, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../../api/settings/settings.ts';
import {
  ANY_ADDRESSES,
  ANY_SECRET,
  deploymentFile,
  STOP_SECONDS,
  unknownSettings,
} from '../support/deployment.ts';

const kubernetes = suite('scripts/deploy/kubernetes');

interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
}

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const ROLES = ['api', 'worker', 'projector'] as const;
const FOLDER = 'kubernetes';
const kustomization = parse(deploymentFile(`${FOLDER}/kustomization.yaml`)) as Kustomization;
const resourcesIn = (file: string): readonly Resource[] =>
  parseAllDocuments(deploymentFile(`${FOLDER}/${file}`)).map((one) => one.toJS() as Resource);
const SECRET_FILE = 'secret.example.yaml';
const resources = [...kustomization.resources, SECRET_FILE].flatMap(resourcesIn);
const ofKind = <T>(kind: string): readonly T[] =>
  resources.filter((one) => one.kind === kind) as readonly unknown[] as readonly T[];
const deployments = ofKind<Deployment>('Deployment');
const [settings] = ofKind<ConfigMap>('ConfigMap');
const [secret] = ofKind<Secret>('Secret');

/** What the compiler says of resources written as literals of their types: unknown fields, too. */
const faultsIn = (written: readonly Resource[]): readonly string[] => {
  const source = written.map(({ apiVersion, kind, ...rest }, index) => {
    const module = `kubernetes-types/${apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')}`;
    const literal = JSON.stringify({ apiVersion, kind, ...rest });
    return `export const _${index}: import('${module}').${kind} = ${literal};`;
  });
  const name = fileURLToPath(new URL('./manifests.generated.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === name || fileExists(file);
  host.getSourceFile = (file, version, ...others) =>
    file === name
      ? ts.createSourceFile(file, source.join('\n'), version)
      : getSourceFile(file, version, ...others);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};

kubernetes('every resource is one of Kubernetes, and no field is unknown to it', () => {
  assert.ok(resources.length >= 11);
  assert.equal(faultsIn(resources), []);
  const [first] = resources;
  assert.ok(first !== undefined);
  assert.match(
    faultsIn([{ ...first, replica: 1 } as Resource]).join(),
    /'"replica"' does not exist/,
  );
});

kubernetes('every file is taken in but the template of the secret', () => {
  const files = readdirSync(new URL(`../../scripts/deploy/${FOLDER}`, import.meta.url)).sort();
  assert.equal(files, ['kustomization.yaml', SECRET_FILE, ...kustomization.resources].sort());
});

const containerOf = ({ spec }: Deployment) => {
  const container = spec?.template.spec?.containers[0];
  assert.ok(container !== undefined);
  return container;
};

kubernetes('a deployment for each role, that differ in nothing else but their number', () => {
  assert.equal(
    deployments.map(({ metadata }) => metadata?.name),
    ROLES.map((role) => `birth-registry-${role}`),
  );
  const same = deployments.map((deployment, index) =>
    JSON.stringify({ ...deployment, spec: { ...deployment.spec, replicas: 0 } }).replace(
      new RegExp(`(["-])${ROLES[index]}"`, 'g'),
      '$1ROLE"',
    ),
  );
  assert.is(new Set(same).size, 1);
  for (const { spec } of deployments) assert.ok((spec?.replicas ?? 0) >= 2);
});

for (const [index, role] of ROLES.entries()) {
  const deployment = deployments[index] ?? {};
  const pod = deployment.spec?.template.spec;

  kubernetes(`${role}: its environment makes settings, and no other`, () => {
    const { env = [], envFrom = [] } = containerOf(deployment);
    assert.equal(envFrom, [{ configMapRef: { name: settings?.metadata?.name } }]);
    const fromSecret = env.flatMap(({ name, valueFrom }) =>
      valueFrom?.secretKeyRef === undefined ? [] : [[name, valueFrom.secretKeyRef] as const],
    );
    for (const [name, { key, name: held }] of fromSecret)
      assert.equal([held, key], [secret?.metadata?.name, name]);
    assert.equal(
      fromSecret.map(([name]) => name).sort(),
      Object.keys(secret?.stringData ?? {}).sort(),
    );
    const names = [...env.map(({ name }) => name), ...Object.keys(settings?.data ?? {})];
    assert.equal(unknownSettings(names), []);
    const read = readSettings({
      ...settings?.data,
      ...Object.fromEntries(
        env.map(({ name, value }) => [name, value ?? ANY_ADDRESSES[name] ?? ANY_SECRET]),
      ),
    });
    assert.is(read.role, role);
    assert.not.ok(
      names.some((name) => ['PORT', 'HOST', 'DATA_DIR'].includes(name)),
      'of the image',
    );
  });

  kubernetes(`${role}: it is started again whatever ended it`, () => {
    assert.is(pod?.restartPolicy, 'Always');
  });

  kubernetes(`${role}: its probes ask what the service answers, where the image listens`, () => {
    const { livenessProbe, readinessProbe, ports } = containerOf(deployment);
    assert.is(livenessProbe?.httpGet?.path, '/health/live');
    assert.is(readinessProbe?.httpGet?.path, '/health/ready');
    const image = /EXPOSE (\d+)/.exec(deploymentFile('docker/Dockerfile'));
    assert.equal(ports, [{ name: 'http', containerPort: Number(image?.[1]) }]);
    for (const probe of [livenessProbe, readinessProbe]) assert.is(probe?.httpGet?.port, 'http');
    // A store gets three seconds to answer.
    assert.ok((readinessProbe?.timeoutSeconds ?? 0) > 3);
  });

  kubernetes(`${role}: it is nobody in particular, and writes nowhere`, () => {
    const { securityContext, volumeMounts = [] } = containerOf(deployment);
    assert.equal(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.is(pod?.securityContext?.runAsNonRoot, true);
    const image = /USER (\d+):(\d+)/.exec(deploymentFile('docker/Dockerfile'));
    assert.is(pod?.securityContext?.runAsUser, Number(image?.[1]));
    assert.is(pod?.securityContext?.seccompProfile?.type, 'RuntimeDefault');
    assert.is(pod?.automountServiceAccountToken, false);
    const writable = volumeMounts.filter(({ readOnly }) => readOnly !== true);
    assert.equal(
      writable.map(({ mountPath }) => mountPath),
      ['/tmp'],
    );
    assert.equal(
      volumeMounts.map(({ name }) => name),
      pod?.volumes?.map(({ name }) => name),
    );
  });

  kubernetes(`${role}: it gets its time to stop after its time to be forgotten`, () => {
    const [, seconds] = containerOf(deployment).lifecycle?.preStop?.exec?.command ?? [];
    assert.ok((pod?.terminationGracePeriodSeconds ?? 0) >= Number(seconds) + STOP_SECONDS);
  });

  kubernetes(`${role}: what selects its pods finds them`, () => {
    const { labels } = deployment.spec?.template.metadata ?? {};
    assert.equal(deployment.spec?.selector.matchLabels, labels);
    for (const { labelSelector } of pod?.topologySpreadConstraints ?? [])
      assert.equal(labelSelector?.matchLabels, labels);
    const [budget] = ofKind<PodDisruptionBudget>('PodDisruptionBudget').slice(index);
    assert.equal(budget?.spec?.selector?.matchLabels, labels);
    assert.is(budget?.spec?.maxUnavailable, 1);
  });
}

kubernetes('the service and the policies select what there is', () => {
  const labels = deployments.map(({ spec }) => spec?.template.metadata?.labels ?? {});
  const [service] = ofKind<Service>('Service');
  assert.equal(service?.spec?.selector, labels[0]);
  const policies = ofKind<NetworkPolicy>('NetworkPolicy');
  const selected = policies.map(
    ({ spec }) =>
      labels.filter((each) =>
        Object.entries(spec?.podSelector?.matchLabels ?? {}).every(
          ([name, value]) => each[name] === value,
        ),
      ).length,
  );
  assert.equal(selected, [3, 1]);
  for (const { spec } of policies) assert.equal(spec?.policyTypes, ['Ingress', 'Egress']);
});

kubernetes('the template of the secret holds none, and says where the authorities are', () => {
  assert.equal(Object.values(secret?.stringData ?? {}), ['', '', '']);
  const mounted = containerOf(deployments[0] ?? {}).volumeMounts?.find(({ readOnly }) => readOnly);
  for (const file of ['postgres-ca.crt', 'eventstore-ca.crt'])
    assert.match(deploymentFile(`${FOLDER}/${SECRET_FILE}`), `=${mounted?.mountPath}/${file}`);
});

kubernetes.run();
