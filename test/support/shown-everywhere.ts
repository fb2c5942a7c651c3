import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { right } from '../../src/domain/diagnosis.ts';
import type { Check, CheckMeaning, Finding } from '../../src/domain/finding.ts';
import {
  diagnosisOf,
  createHealthGauges,
  createHealth,
  problemWithCode,
  createReadinessRoute,
} from '../../src/health/health.ts';
import { serviceMeaning } from '../../src/quiz-api/service-finding.ts';
import { statusMessage } from '../../src/slack/views/administration/bot-status.ts';
import { askRoute } from './ask-route.ts';
import { alertsStatus } from './builders/alerts.ts';
import { mrkdwnTexts } from './slack-limits.ts';

/** What each place shows of the check of this name, after all of them were asked. */
export async function shownOf(checks: readonly Check[], { name, gauge }: CheckMeaning) {
  const health = createHealth({ checks, timeoutMs: 5_000, now: Date.now });
  const results = await health.look();
  const result = results.find(({ check }) => check.name === name)!;
  const { status, body } = await askRoute(createReadinessRoute({ health }));
  const registry = new Registry();
  (await createHealthGauges(registry, health)())();
  return {
    finding: result.finding,
    readiness: { status, line: (body as Record<string, string>)[name] },
    status: mrkdwnTexts(
      statusMessage(
        {
          kind: 'status',
          openRequests: 0,
          auditEntries: 0,
          status: {
            health: results,
            unreadable: [],
            requestsLeft: [],
            alerts: alertsStatus(),
            undelivered: { count: 0, lastAt: undefined },
          },
        },
        'UTC',
      ).blocks,
    ).join('\n'),
    doctor: diagnosisOf(result),
    metric: (await registry.metrics()).split('\n').find((line) => line.startsWith(`${gauge.name} `)),
  };
}

/** Every place shows the finding, each its part of it. */
export async function expectShownAlike(
  checks: readonly Check[],
  meaning: CheckMeaning,
  expected: Partial<Finding>,
): Promise<Finding> {
  const { finding, readiness, status, doctor, metric } = await shownOf(checks, meaning);
  expect(finding).toMatchObject(expected);
  expect(readiness).toEqual({ status: finding!.effect === 'stops' ? 503 : 200, line: problemWithCode(finding!) });
  expect(status).toContain(meaning === serviceMeaning ? '🔴 not answering' : finding!.forAdministrators.headline);
  expect(doctor).toEqual({ state: 'fault', text: finding!.forOperator });
  expect(metric).toBe(`${meaning.gauge.name} 0`);
  return finding!;
}

export async function expectWell(checks: readonly Check[], meanings: readonly CheckMeaning[]): Promise<void> {
  for (const meaning of meanings) {
    const { finding, readiness, status, doctor, metric } = await shownOf(checks, meaning);
    expect({ name: meaning.name, finding }).toEqual({ name: meaning.name, finding: undefined });
    expect(readiness).toEqual({ status: 200, line: 'ok' });
    expect(status).not.toMatch(/🚨|🔴/);
    expect(doctor).toEqual(right(checks.find(({ name }) => name === meaning.name)!.well));
    expect(metric).toBe(`${meaning.gauge.name} 1`);
  }
}
