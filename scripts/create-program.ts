import { Command } from '@commander-js/extra-typings';
import { capitalize } from '../api/pages/text/text-case.ts';
import { WrongUsage } from './wrong-usage.ts';

/** Throws {@link WrongUsage} with the help after the explanation. */
export const createProgram = (name: string): Command => {
  let explanation = '';
  const explain = (text: string): void => {
    explanation += text;
  };
  return new Command(name)
    .helpOption('-h, --help', 'prints this text')
    .configureHelp({ optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, '') })
    .configureOutput({ writeErr: explain, outputError: (text) => explain(hideValues(text)) })
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => {
      if (exitCode === 0) process.exit();
      throw new WrongUsage(explanation.trimEnd());
    });
};

const OPTION_NAME = /^--[a-z-]+(?:=|$)/;

/** The library's messages quote the typed text, which may be a password, a name, or an email. */
const hideValues = (text: string): string =>
  capitalize(text.replace(/^error: /, ''))
    .replace(/ argument '.*' is invalid\./s, ' does not take this value.')
    .replace(/^(Unknown (?:option|command)) '(.*)'/s, (_, unknown: string, typed: string) =>
      `${unknown} ${OPTION_NAME.exec(typed)?.[0].replace('=', '=…') ?? ''}`.trimEnd(),
    )
    .replace(/(?<!\.)\n(?:\((Did you mean .*)\)\n)?$/, (_, suggestion?: string) =>
      suggestion === undefined ? '.\n' : `. ${suggestion}\n`,
    )
    .replaceAll(/[<>]/g, '');
