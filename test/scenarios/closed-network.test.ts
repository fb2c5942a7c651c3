import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClosedNetwork, opensslMissing, type ClosedNetwork } from '../support/closed-network.ts';
import { askDoctor, runDoctor } from '../support/doctor.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const [slack, service] = ['slack.test', 'quiz.test'];

let network: ClosedNetwork;
let testBed: ProcessTestBed;
let env: Record<string, string> = {};

describe.skipIf(opensslMissing !== null)('In a network behind a proxy, with its own authority', () => {
  beforeAll(async () => {
    network = await openClosedNetwork(temporaryDirectory(afterAll), [slack, service]);
    testBed = await openProcessTestBed({
      store: 'sqlite',
      mode: 'socket',
      publicUrls: { slack: `https://${slack}`, service: `https://${service}` },
      slackUrl: async (origin) => {
        network.lead(slack, origin);
        return `https://${slack}`;
      },
      serviceUrl: async (url) => {
        network.lead(service, url);
        return `https://${service}`;
      },
      env: {
        HTTPS_PROXY: network.proxyUrl,
        NODE_EXTRA_CA_CERTS: network.certificateFile,
      },
      beforeStart: async (variables) => void (env = variables as Record<string, string>),
    });
  });

  afterAll(async () => {
    await testBed.close();
    network.close();
  });

  test('everything that leaves a bot goes through the proxy, and trusts the authority of the network', async () => {
    const { workspace } = testBed;
    // No resolver knows these names: what works here came through the proxy.
    expect(workspace.sockets).toBe(1);
    const tom = workspace.as(workspace.people.tom.id);
    const listed = await tom.command('/quiz list');
    expect(JSON.stringify(await listed.reply())).toContain('quizzes');
    const exported = await tom.command('/quiz export food');
    await exported.reply();
    await workspace.until(() => workspace.directMessages(workspace.people.tom.id).some(({ files }) => files?.length));
    expect(new Set(network.connects)).toEqual(new Set([slack, service]));
    expect(testBed.bots[0]!.lastLogLines()).not.toContain('canary');
  });

  test('the doctor says which way everything goes, and that nothing has to be mended', async () => {
    const { lines, code } = await runDoctor(env);
    const shown = lines.join('\n');
    expect(lines.filter((line) => line.startsWith('✗'))).toEqual([]);
    expect(code).toBe(0);
    const { origin } = new URL(network.proxyUrl);
    for (const [name, host] of [
      ['SLACK_API_URL', slack],
      ['QUIZ_API_URL', service],
    ])
      expect(shown).toContain(`✓ Configuration: ${name}: ${host} is reached through the proxy ${origin}.`);
    expect(shown).not.toContain('canary');
  });

  test('the doctor names the authority, the proxy and what leads past it, where they are wrong', async () => {
    const faultsWith = async (change: Record<string, string>) => {
      const { lines, code } = await askDoctor({ ...env, ...change });
      expect(code).toBe(1);
      return lines.filter((line) => line.startsWith('✗')).join('\n');
    };
    const withoutAuthority = await faultsWith({ NODE_EXTRA_CA_CERTS: '' });
    expect(withoutAuthority).toMatch(/✗ Slack: .*certificate .* set NODE_EXTRA_CA_CERTS to a file/);
    expect(withoutAuthority).toMatch(/✗ Quiz service: .*certificate .* set NODE_EXTRA_CA_CERTS to a file/);
    const withoutPassword = await faultsWith({ HTTPS_PROXY: new URL(network.proxyUrl).origin });
    expect(withoutPassword).toMatch(/✗ Slack: .*the proxy lets nothing through: check HTTPS_PROXY/);
    expect(withoutPassword).toMatch(/✗ Quiz service: the proxy lets nothing through: check HTTPS_PROXY/);
    const { lines } = await askDoctor({ ...env, NO_PROXY: '.test' });
    expect(lines.join('\n')).toContain(`SLACK_API_URL: ${slack} is reached directly`);
    expect(lines.join('\n')).toContain('✗ Slack: Slack cannot be reached (ENOTFOUND)');
  });
});
