import type { Act, Exchanges, PageState } from '../page-contract.ts';

/** The page's line to the workspace it shows. */
export const server = {
  state: (person: string): Promise<PageState> => read(`/page/state?as=${encodeURIComponent(person)}`),

  exchanges: (): Promise<Exchanges> => read('/page/exchanges'),

  /** Does something as this person. Rejects with what to tell them. */
  async act<T extends object>(person: string, act: Act): Promise<T> {
    const response = await fetch(`/page/acts?as=${encodeURIComponent(person)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(act),
    });
    const answer: T & { problem?: string } = await response.json();
    if (!response.ok) throw new Error(answer.problem ?? `The workspace answered ${response.status}.`);
    return answer;
  },

  /** Calls back after every change, and when the line breaks or is back. */
  follow(changed: () => void, lineChanged: (isOffline: boolean) => void): void {
    const source = new EventSource('/page/changes');
    source.addEventListener('message', changed);
    source.addEventListener('open', () => {
      lineChanged(false);
    });
    source.addEventListener('error', () => {
      lineChanged(true);
    });
  },
};

async function read<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The workspace answered ${response.status}.`);
  const answer: T = await response.json();
  return answer;
}
