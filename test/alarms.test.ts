import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { openProcessTestBed } from './support/process-test-bed.ts';
import { anchorsOf } from './support/documents.ts';
import { promtool, promtoolMissing } from './support/programs.ts';
import { read } from './support/project-files.ts';
import { untilSo } from './support/watchdog.ts';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

const rulesFile = 'deploy/prometheus/invigilator.rules.yml';
const { groups } = parse(read(rulesFile)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const { panels } = JSON.parse(read('deploy/grafana/invigilator.json')) as { panels: Panel[] };
const shown = panels.flatMap(({ title, targets = [] }) =>
  targets.map(
    ({ expr }, index) => [`${title} ${index + 1}`, expr.replaceAll('job="$job"', 'job="invigilator"')] as const,
  ),
);

/** The metrics that Prometheus makes itself for each target. */
const ofPrometheus = new Set(['up']);

/** Their series begin with what they count or show: their alarms are about several, or what is there now. */
const begunLater =
  /^invigilator_(?:queue_\w+|finding|direct_messages_total|operations_total|quiz_(?:calls_total|unreadable_records)|slack_(?:errors_total|refused_total|acknowledgement_seconds))$/;

/** The selectors in an expression, such as `up{job="invigilator"}`. */
function selectorsIn(
  expression: string,
): { name: string; matchers: { label: string; operator: string; value: string }[] }[] {
  return [...expression.matchAll(/\b((?:invigilator|nodejs|process|up)(?:_\w+)?)(?:\{([^}]*)\})?/g)].map(
    ([, name, inside = '']) => ({
      name: name!,
      matchers: [...inside.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)]
        .map(([, label, operator, value]) => ({ label: label!, operator: operator!, value: value! }))
        .filter(({ label }) => label !== 'job'),
    }),
  );
}

/** The series of a scrape as name and labels. */
function seriesIn(text: string): { name: string; labels: Record<string, string> }[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? [^ ]+$/gm)].map(([, name, inside = '']) => ({
    name: name!,
    labels: Object.fromEntries([...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!])),
  }));
}

function isMatch(
  labels: Record<string, string>,
  { label, operator, value }: { label: string; operator: string; value: string },
): boolean {
  const given = labels[label] ?? '';
  if (operator === '=~') return new RegExp(`^(?:${value})$`).test(given);
  return (given === value) === (operator === '=');
}

describe('each alarm', () => {
  test.each(rules)(
    '$alert says what it means, where it is mended, and how urgent it is',
    ({ alert, labels, annotations }) => {
      const { summary, description, runbook } = annotations;
      expect(alert).toBe(`Invigilator${summary.replaceAll(/(?:^| )./g, (start) => start.trim().toUpperCase())}`);
      expect(description.length).toBeGreaterThan(15);
      expect(['critical', 'warning']).toContain(labels.severity);
      const [file, anchor = ''] = runbook.split('#');
      expect(anchorsOf(file!)).toContain(anchor);
    },
  );

  test('names only sections of its runbook', () => {
    const headings = new Set([...read('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!));
    const named = rules.flatMap(({ annotations: { description } }) =>
      [...description.matchAll(/See “([^”]+)”/g)].map(([, heading]) => heading!),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((heading) => !headings.has(heading))).toEqual([]);
  });
});

describe('GET /metrics of a bot that has just started', () => {
  let text = '';

  beforeAll(async () => {
    const testBed = await openProcessTestBed({ store: 'sqlite', mode: 'socket' });
    try {
      // The bot knows to whom the store belongs once the quiz service has listed the users.
      text = await untilSo(async () => {
        const scraped = await (await fetch(`${testBed.bots[0]!.url}/metrics`)).text();
        return /^invigilator_store_own 1$/m.test(scraped) && scraped;
      });
    } finally {
      await testBed.close();
    }
  });

  test.each([...rules.map(({ alert, expr }) => [alert, expr] as const), ...shown])(
    'has every metric of “%s”',
    (_, expression) => {
      const series = seriesIn(text);
      const selectors = selectorsIn(expression).filter(({ name }) => !ofPrometheus.has(name));
      for (const { name, matchers } of selectors) {
        const base = name.replace(/_bucket$/, '');
        // A process with one bot has none.
        if (base === 'invigilator_tenant_up') continue;
        expect(text).toContain(`# TYPE ${base} `);
        if (begunLater.test(base)) continue;
        const fitting = series.filter(
          (one) => one.name === name && matchers.every((matcher) => isMatch(one.labels, matcher)),
        );
        expect(fitting.length, `${name} ${JSON.stringify(matchers)}`).toBeGreaterThan(0);
        for (const value of matchers.flatMap((matcher) =>
          matcher.operator === '=~' ? matcher.value.split('|') : [],
        )) {
          expect(
            fitting
              .flatMap(({ labels }) => Object.values(labels))
              .some((label) => new RegExp(`^${value}$`).test(label)),
            `${name}: ${value}`,
          ).toBe(true);
        }
      }
    },
  );

  test('is described by docs/reference/metrics.md', async () => {
    const own = [...text.matchAll(/^# HELP (invigilator_\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map(
      ([, name = '', help = '', type = '']) => ({ name, help, type }),
    );
    const page = [
      '# Metrics',
      '',
      'For people who monitor the bot: what `/metrics` has besides the metrics of Node. Of [many tenants](../install.md#many-tenants), each has series with its `tenant`, and `invigilator_tenant_up`, which is 1 while its bot runs. Generated from the bot: `npx vitest run test/alarms.test.ts --update`.',
      '',
      '| Metric | Type | Meaning |',
      '|---|---|---|',
      ...own
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, help, type }) => `| \`${name}\` | ${type} | ${help.replaceAll('|', String.raw`\|`)} |`),
    ];
    await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../docs/reference/metrics.md');
  });

  test('has few series', () => {
    expect(text).toMatch(/^invigilator_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
    expect(seriesIn(text).length).toBeLessThan(200);
  });

  test.skipIf(promtoolMissing !== null)('keeps the naming conventions of Prometheus', () => {
    const own = text.split('\n').filter((line) => /^(?:# (?:HELP|TYPE) )?invigilator_/.test(line));
    expect(own.length).toBeGreaterThan(100);
    expect(promtool(['check', 'metrics'], { input: `${own.join('\n')}\n` })).toEqual({ output: '', code: 0 });
  });
});

/** For each alarm, a series and its values, a minute apart, with which it fires at the end. Without it, the alarm rests. */
const firing: Record<string, Record<string, string>> = {
  InvigilatorBotDown: { 'up{job="invigilator"}': '1 0x5' },
  InvigilatorStoreUnavailable: { invigilator_store_usable: '1 0x5' },
  InvigilatorStoreContentLost: {
    'invigilator_store_whole{instance="a"}': '1x5',
    'invigilator_store_whole{instance="b"}': '1 0x5',
  },
  InvigilatorStoreOfAnotherAccount: { invigilator_store_own: '1 0x5' },
  InvigilatorTenantDown: {
    'invigilator_tenant_up{tenant="acme"}': '1 0x5',
    'invigilator_tenant_up{tenant="b"}': '1x5',
  },
  InvigilatorClockSet: { invigilator_clock_jumps_total: '0x3 1x10' },
  InvigilatorWebhookNotStored: { 'invigilator_webhooks_total{outcome="not_remembered"}': '0x3 1x2' },
  InvigilatorWebhooksRefused: { 'invigilator_webhooks_total{outcome="signature"}': '0x3 10x5' },
  InvigilatorNoWebhooks: { 'invigilator_webhooks_total{outcome="taken"}': '7x1500' },
  InvigilatorBackfillLate: { invigilator_backfill_lag_seconds: '0 2000x3' },
  InvigilatorWebhooksLost: { 'invigilator_webhooks_total{outcome="backfilled"}': '0x3 1x20' },
  InvigilatorWebhooksSetAside: { 'invigilator_webhooks_total{outcome="set_aside"}': '0x3 1x20' },
  InvigilatorAlertsSetAside: { 'invigilator_alerts_total{outcome="set_aside"}': '0x3 1x20' },
  InvigilatorWebhooksStuck: { invigilator_inbox_oldest_age_seconds: '0+60x10' },
  InvigilatorMessagesToRespondentsStuck: { 'invigilator_queue_oldest_age_seconds{queue="person"}': '0+60x100' },
  InvigilatorChannelStuck: { 'invigilator_queue_oldest_age_seconds{queue="channel",channel="C1"}': '0+60x20' },
  InvigilatorWorkStandsStill: {
    'invigilator_work_overdue_seconds{kind="batch",instance="a"}': '0+60x125',
    'invigilator_work_overdue_seconds{kind="batch",instance="b"}': '0+60x125',
    'invigilator_work_overdue_seconds{kind="waits",instance="a"}': '0+60x125',
    'invigilator_work_overdue_seconds{kind="waits",instance="b"}': '0x125',
  },
  InvigilatorAlertsDropped: { 'invigilator_alerts_total{outcome="dropped"}': '0x3 1x20' },
  InvigilatorBotTokenRefused: { 'invigilator_finding{check="slack",code="token_revoked"}': '_x3 1x2' },
  InvigilatorMessagesThatReachNobody: { 'invigilator_undelivered_messages_total{kind="approval_request"}': '0x3 1x20' },
  InvigilatorSlackErrors: {
    'invigilator_slack_errors_total{method="chat.postMessage",code="internal_error"}': '0x3 30x5',
  },
  InvigilatorSocketModeDisconnected: { invigilator_slack_socket_connected: '1 0x5' },
  InvigilatorSlackRequestsRefused: { 'invigilator_slack_refused_total{reason="signature"}': '0x3 10x5' },
  InvigilatorSlowResponsesToSlack: {
    'invigilator_slack_acknowledgement_seconds_bucket{le="1"}': '0x3 10x3',
    'invigilator_slack_acknowledgement_seconds_bucket{le="3"}': '0x3 100x3',
    'invigilator_slack_acknowledgement_seconds_bucket{le="+Inf"}': '0x3 100x3',
  },
  InvigilatorQuizServiceDown: {
    'invigilator_quiz_calls_total{operation="users.list",status="503"}': '0x3 30x5',
    'invigilator_quiz_calls_total{operation="users.list",status="error"}': '0x8',
  },
  InvigilatorAPIKeyRefused: { 'invigilator_finding{check="quizService",code="quiz_key_refused"}': '_x3 1x5' },
  InvigilatorRecordsLeftOut: { 'invigilator_quiz_unreadable_records{list="users"}': '0x3 2x70' },
  InvigilatorBudgetLow: { 'invigilator_quiz_budget_left_requests{window_seconds="3600"}': '2000x3 40x15' },
  InvigilatorPeopleWait: { 'invigilator_quiz_budget_waiting_requests{priority="person"}': '0x3 2x5' },
  InvigilatorApprovalsOpen: { invigilator_approvals_open: '1x730' },
  InvigilatorAuditTrailCut: { invigilator_audit_trail_whole: '1 0x5' },
  InvigilatorProcessBlocked: { nodejs_eventloop_lag_p99_seconds: '0.01 0.8x10' },
  InvigilatorProcessHeldUp: { invigilator_held_up_seconds_total: '0x3 12x2' },
};

/** Values of the same series of a bot that is well. */
const atRest: Record<string, string> = {
  up: '1',
  invigilator_store_usable: '1',
  invigilator_tenant_up: '1',
  invigilator_store_own: '1',
  invigilator_store_whole: '1',
  invigilator_slack_socket_connected: '1',
  invigilator_audit_trail_whole: '1',
  invigilator_quiz_budget_left_requests: '1900',
  nodejs_eventloop_lag_p99_seconds: '0.01',
};

describe.skipIf(promtoolMissing !== null)('promtool', () => {
  test('finds the rules valid', () => {
    expect(promtool(['check', 'rules', rulesFile])).toMatchObject({ code: 0 });
  });

  test('has an example for each alarm', () => {
    expect(Object.keys(firing)).toEqual(rules.map(({ alert }) => alert));
  });

  /** The number of minutes that a value like `1 0x5` lasts. */
  const minutesIn = (values: string) =>
    values.split(' ').reduce((sum, part) => sum + Number(/x(\d+)$/.exec(part)?.[1] ?? 0) + 1, 0) - 1;

  /** Tests that as many alarms fire at the end of each series. Each has its own rule alone: some last for a day. */
  const testRules = (
    cases: readonly (readonly [name: string, series: Readonly<Record<string, string>>, count: number])[],
  ) => {
    const files = cases.flatMap(([name, series, count]) => {
      const rule = rules.filter(({ alert }) => alert === name);
      const tested = {
        evaluation_interval: '1m',
        rule_files: [`${name}.rules.yml`],
        tests: [
          {
            name,
            interval: '1m',
            input_series: Object.entries(series).map(([selector, values]) => ({ series: selector, values })),
            promql_expr_test: [
              {
                expr: `count(ALERTS{alertname="${name}", alertstate="firing"}) or vector(0)`,
                eval_time: `${Math.max(...Object.values(series).map(minutesIn))}m`,
                exp_samples: [{ labels: '{}', value: count }],
              },
            ],
          },
        ],
      };
      return [
        [`${name}.rules.yml`, stringify({ groups: [{ name, rules: rule }] })],
        [`${name}.yml`, stringify(tested)],
      ] as const;
    });
    const tests = cases.map(([name]) => `${name}.yml`);
    return promtool(['test', 'rules', ...tests], { files: Object.fromEntries(files) });
  };

  test('lets each alarm fire when it should', () => {
    const ran = testRules(Object.entries(firing).map(([name, series]) => [name, series, 1]));
    expect(ran).toMatchObject({ code: 0 });
  });

  test('lets each alarm rest while the bot is well', () => {
    const ran = testRules(
      Object.entries(firing).map(([name, series]) => {
        const resting = Object.entries(series).map(([selector, values]) => [
          selector,
          `${atRest[selector.replace(/\{.*/, '')] ?? (name === 'InvigilatorNoWebhooks' ? '0+1' : '0')}x${minutesIn(values)}`,
        ]);
        return [name, Object.fromEntries(resting) as Record<string, string>, 0];
      }),
    );
    expect(ran).toMatchObject({ code: 0 });
  });

  test('parses every expression of the Grafana dashboard', () => {
    expect(shown.length).toBeGreaterThan(20);
    const file = stringify({
      groups: [{ name: 'panels', rules: shown.map(([, expr], index) => ({ record: `panel:${index}`, expr })) }],
    });
    expect(promtool(['check', 'rules', 'panels.yml'], { files: { 'panels.yml': file } })).toMatchObject({ code: 0 });
  });
});
