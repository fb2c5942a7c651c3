import type { Decisions } from '../governance/approvals/decide.ts';
import type { Execute } from '../governance/execute.ts';
import type { Governance } from '../governance/governance.ts';
import type { Log } from '../observability/log.ts';
import { inSpan, type Tracing } from '../observability/tracing.ts';
import type { Home } from './home.ts';

/** What people have done through listeners: within a span of its own, and their Home tab shows what came of it. */
export function createActing(deps: {
  governance: Pick<Governance, 'execute' | 'decisions'>;
  home: Home;
  tracing: Tracing;
  /** Hears of work that goes on after an answer. */
  track: (work: Promise<unknown>) => void;
  log: Log;
}): { execute: Execute; decisions: Decisions } {
  const { governance, home, tracing, log } = deps;

  function showOnHome(slackId: string): void {
    deps.track(home.refresh(slackId).catch((error: unknown) => log.warn({ error }, 'a Home tab could not be updated')));
  }

  return {
    async execute(request) {
      const { operation, slackId } = request;
      const outcome = await inSpan(tracing, { name: `operation ${operation.name}` }, () => governance.execute(request));
      if (outcome.kind === 'requested' || (outcome.kind === 'done' && operation.access !== 'read')) showOnHome(slackId);
      return outcome;
    },
    decisions: {
      ...governance.decisions,
      decide: (acting) => inSpan(tracing, { name: 'decide' }, () => governance.decisions.decide(acting)).finally(() => showOnHome(acting.slackId)),
      withdraw: (acting) => governance.decisions.withdraw(acting).finally(() => showOnHome(acting.slackId)),
    },
  };
}
