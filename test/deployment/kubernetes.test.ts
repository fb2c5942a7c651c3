import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { read, routes, variables } from '../support/project-files.ts';
import { bytesOf, compose, exampleSecrets, writeSecrets } from './compose-file.ts';

const folder = 'deploy/kubernetes';
/** Kubernetes reads YAML 1.1, where 0440 is octal. */
const manifest = (name: string): unknown => parse(read(`${folder}/${name}`), { version: '1.1' });

interface Labelled {
  metadata: { name: string; labels?: Record<string, string> };
}
interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
interface Container {
  image: string;
  env: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: unknown }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  lifecycle: { preStop: { exec: { command: string[] } } };
  resources: Record<'requests' | 'limits', { cpu: string; memory: string }>;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}
interface Volume {
  name: string;
  secret?: { secretName: string; defaultMode: number };
  emptyDir?: { sizeLimit: string };
}
interface Deployment extends Labelled {
  spec: {
    replicas: number;
    strategy: { type: string };
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        automountServiceAccountToken: boolean;
        securityContext: { fsGroup: number } & Record<string, unknown>;
        terminationGracePeriodSeconds: number;
        containers: Container[];
        volumes: Volume[];
      };
    };
  };
}
interface Rule {
  from?: object[];
  to?: { podSelector?: object; namespaceSelector?: object; ipBlock?: { cidr: string; except: string[] } }[];
  ports: { protocol: string; port: number }[];
}

const kustomization = manifest('kustomization.yaml') as {
  resources: string[];
  configMapGenerator: { name: string; envs: string[] }[];
  images: { name: string; newTag: string }[];
};
const { spec } = manifest('deployment.yaml') as Deployment;
const pod = spec.template.spec;
const [bot] = pod.containers as [Container];
const environment = Object.fromEntries(bot.env.map(({ name, value }) => [name, value]));
const configMap = Object.fromEntries(
  [...read(`${folder}/invigilator.env`).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
);

describe('deploy/kubernetes', () => {
  test('has every file in its kustomization, and the image of this version', () => {
    const named = [...kustomization.resources, ...kustomization.configMapGenerator.flatMap(({ envs }) => envs)];
    expect([...named, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(folder).toSorted());
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(kustomization.images).toMatchObject([{ name: bot.image, newTag: version }]);
    expect(bot.envFrom).toEqual(kustomization.configMapGenerator.map(({ name }) => ({ configMapRef: { name } })));
  });

  test('gives the bot a valid configuration when the address is set and the secret has its files', () => {
    expect(configMap['QUIZ_API_URL']).toBe('');
    const { mountPath, name, readOnly } = bot.volumeMounts.find((mount) => mount.mountPath.startsWith('/run/secrets'))!;
    const secrets = writeSecrets();
    const mounted = Object.entries({ ...configMap, ...environment }).map(([key, value]) => [
      key,
      value.replace(mountPath, secrets),
    ]);
    expect(readConfig({ ...Object.fromEntries(mounted), QUIZ_API_URL: 'https://quiz.example' })).toMatchObject({
      slack: { botToken: 'xoxb-1', signingSecret: 'signing' },
      redisUrl: `redis://:${exampleSecrets['REDIS_PASSWORD']}@redis:6379`,
      http: { port: 3000, host: '0.0.0.0' },
    });
    expect(readOnly).toBe(true);
    expect(pod.volumes.find((volume) => volume.name === name)?.secret).toEqual({
      secretName: 'invigilator',
      defaultMode: 0o440,
    });
    expect(pod.securityContext.fsGroup).toBe(1000);
    const known = Object.keys({ ...configMap, ...environment }).map((key) => key.replace(/_FILE$/, ''));
    expect(known.filter((key) => !variables.includes(key))).toEqual([]);
  });

  test('gives every secret as a file, and none as a variable', () => {
    const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(Object.fromEntries(files)).toEqual(
      Object.fromEntries(
        Object.keys(exampleSecrets).map((name) => [`${name}_FILE`, `/run/secrets/invigilator/${name}`]),
      ),
    );
    expect(Object.keys({ ...environment, ...configMap }).filter((name) => name in exampleSecrets)).toEqual([]);
    for (const name of readdirSync(folder)) expect(read(`${folder}/${name}`)).not.toMatch(/secretKeyRef|secretRef/);
  });

  test('runs as the restricted profile of Kubernetes asks, with a read-only file system', () => {
    const { metadata } = manifest('namespace.yaml') as Labelled;
    expect(metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(bot.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const writable = bot.volumeMounts.filter(({ readOnly }) => !readOnly);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    for (const { name } of writable)
      expect(pod.volumes.find((volume) => volume.name === name)?.emptyDir?.sizeLimit).toMatch(/^\d+Mi$/);
  });

  test('bounds memory and CPU time as docker-compose.yml does', () => {
    const { limits, requests } = bot.resources;
    const { mem_limit: memory, cpus } = compose.services.bot;
    expect([bytesOf(limits.memory), Number(limits.cpu)]).toEqual([bytesOf(memory!), cpus]);
    expect(bytesOf(requests.memory)).toBeLessThan(bytesOf(limits.memory));
  });

  test('asks whether the process answers, and not whether Slack or Redis does', () => {
    const probes = [bot.startupProbe, bot.readinessProbe, bot.livenessProbe];
    for (const { httpGet } of probes) expect(httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(routes).toContain('/healthz');
  });

  test('lets a host be paused for 20 seconds before it ends an instance, and a busy one answer late', () => {
    const { periodSeconds, failureThreshold } = bot.livenessProbe;
    expect(periodSeconds * (failureThreshold - 1)).toBeGreaterThanOrEqual(20);
    expect(bot.readinessProbe.timeoutSeconds).toBeGreaterThanOrEqual(3);
  });

  test('leaves the bot the time to finish that it has in docker-compose.yml, after the balancer knows', () => {
    const [command, wait] = bot.lifecycle.preStop.exec.command;
    expect(command).toBe('sleep');
    const finish = Number.parseInt(compose.services.bot.stop_grace_period!, 10);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(wait) + finish);
    const { readinessProbe: ready } = bot;
    expect(Number(wait)).toBeGreaterThan(ready.periodSeconds * ready.failureThreshold);
  });

  test('never runs two versions at once, and keeps an instance while a node is drained', () => {
    expect(spec.strategy).toEqual({ type: 'Recreate' });
    const budget = (manifest('pod-disruption-budget.yaml') as { spec: { minAvailable: number; selector: object } })
      .spec;
    expect(budget.minAvailable).toBeGreaterThanOrEqual(1);
    expect(budget.minAvailable).toBeLessThan(spec.replicas);
    expect(budget.selector).toEqual(spec.selector);
  });

  test('means the same pods everywhere', () => {
    const { matchLabels } = spec.selector;
    expect(spec.template.metadata.labels).toMatchObject(matchLabels);
    expect((manifest('service.yaml') as { spec: { selector: object } }).spec.selector).toEqual(matchLabels);
    const policy = (manifest('network-policy.yaml') as { spec: { podSelector: object } }).spec;
    expect(policy.podSelector).toEqual({ matchLabels });
  });

  test('exposes only the routes that Slack, agents and the quiz service call', () => {
    const service = manifest('service.yaml') as {
      metadata: { name: string };
      spec: { ports: { name: string; targetPort: string }[] };
    };
    expect(service.spec.ports).toMatchObject([{ name: 'http', targetPort: bot.ports[0]!.name }]);
    expect(bot.ports).toEqual([{ name: 'http', containerPort: Number(environment['PORT']) }]);
    const ingress = manifest('ingress.yaml') as {
      spec: { rules: { http: { paths: { path: string; pathType: string }[] } }[] };
    };
    const backend = { service: { name: service.metadata.name, port: { name: 'http' } } };
    expect(ingress.spec.rules.flatMap(({ http }) => http.paths)).toEqual(
      ['/slack/events', '/webhooks', '/mcp'].map((path) => ({ path, pathType: 'Prefix', backend })),
    );
  });

  test('lets the bot reach names, Slack, the quiz service and Redis alone, and only named callers reach it', () => {
    const { ingress, egress, policyTypes } = (
      manifest('network-policy.yaml') as {
        spec: { ingress: Rule[]; egress: Rule[]; policyTypes: string[] };
      }
    ).spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(ingress.flatMap(({ ports }) => ports)).toEqual([{ protocol: 'TCP', port: bot.ports[0]!.containerPort }]);
    for (const { from } of ingress) expect(from?.every((source) => 'namespaceSelector' in source)).toBe(true);
    const redis = Number(new URL(configMap['REDIS_URL']!).port);
    expect(egress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([[53, 53], [443], [redis]]);
    for (const { to = [] } of egress) {
      expect(to).not.toEqual([]);
      // The addresses by which clouds give their keys to whatever runs there.
      for (const { ipBlock } of to) expect(ipBlock?.except ?? ['169.254.0.0/16']).toContain('169.254.0.0/16');
    }
  });
});
