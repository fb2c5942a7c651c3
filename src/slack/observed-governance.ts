import type { Decisions } from '../governance/approvals/decide.ts';
import type { Execute } from '../governance/execute.ts';
import type { Governance } from '../governance/governance.ts';
import type { Log } from '../observability/log.ts';
import type { Tracing } from '../observability/tracing.ts';
import { inSpan } from '../observability/work.ts';
import type { Home } from './home.ts';

/** Governance for listeners: gives each step of a person a span, and refreshes their Home tab after it. */
export function observeGovernance(deps: {
  governance: Pick<Governance, 'execute' | 'decisions'>;
  home: Home;
  tracing: Tracing;
  /** Called with work that goes on after the answer to a person. */
  track: (work: Promise<unknown>) => void;
  log: Log;
}): { execute: Execute; decisions: Decisions } {
  const { governance, home, tracing, log } = deps;

  function showOnHome(personId: string): void {
    deps.track(home.refresh(personId).catch((error: unknown) => log.warn({ error }, 'a Home tab could not be updated')));
  }

  return {
    async execute(request) {
      const { operation, personId } = request;
      const outcome = await inSpan(tracing, { name: `operation ${operation.name}` }, () => governance.execute(request));
      if (outcome.kind === 'requested' || (outcome.kind === 'done' && operation.access !== 'read')) showOnHome(personId);
      return outcome;
    },
    decisions: {
      ...governance.decisions,
      decide: (reviewer) => inSpan(tracing, { name: 'decide' }, () => governance.decisions.decide(reviewer)).finally(() => showOnHome(reviewer.personId)),
      withdraw: (requester) => governance.decisions.withdraw(requester).finally(() => showOnHome(requester.personId)),
    },
  };
}
