import type { SlackbotTool } from '../../model.ts';

/** The page’s own state of the conversation with Slackbot. */
export interface SlackbotUi {
  /** Whose tools these are; null before they are asked for. */
  person: string | null;
  /** Null while they load. */
  tools: SlackbotTool[] | null;
  chosen: string;
  /** What is in the form, by tool and argument. */
  entered: Record<string, Record<string, string>>;
}

export const initialSlackbot: SlackbotUi = { person: null, tools: null, chosen: '', entered: {} };

export interface SlackbotActions {
  /** Asks for the tools of the person whom the page shows, unless it has asked already. */
  loadTools(): void;
  chooseTool(name: string): void;
  enterArgument(tool: string, argument: string, text: string): void;
  callTool(tool: { name: string; title: string }, given: Record<string, string | string[]>): void;
}
