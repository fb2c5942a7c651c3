import type { SlackbotTool } from '../../model.ts';
import type { Sender } from '../server.ts';
import type { Store } from '../store.ts';
import type { SlackbotActions, SlackbotUi } from './state.ts';

export function createSlackbotActions(store: Store, { act }: Sender): SlackbotActions {
  const slackbot = () => store.state.ui.slackbot;
  const change = (part: Partial<SlackbotUi>): void => {
    store.change({ slackbot: { ...slackbot(), ...part } });
  };

  const load = async (person: string): Promise<void> => {
    change({ person, tools: null });
    const answer = await act<{ tools: SlackbotTool[] }>({ do: 'slackbotTools' });
    if (slackbot().person !== person) return;
    const tools = answer?.tools ?? [];
    change({
      tools,
      chosen: tools.some(({ name }) => name === slackbot().chosen) ? slackbot().chosen : (tools[0]?.name ?? ''),
    });
  };

  return {
    loadTools() {
      const { person } = store.state.ui;
      if (slackbot().person !== person) void load(person);
    },
    chooseTool(chosen) {
      change({ chosen });
    },
    enterArgument(tool, argument, text) {
      const { entered } = slackbot();
      change({ entered: { ...entered, [tool]: { ...entered[tool], [argument]: text } } });
    },
    callTool({ name, title }, given) {
      void act({ do: 'callTool', name, title, given });
    },
  };
}
