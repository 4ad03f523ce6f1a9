import type { OperatorCommand } from '../operator/command-line.ts';
import { SUBJECTS } from '../operator/commands.ts';
import { wrapItem } from './generated-parts.ts';
import { formatCode } from './markdown.ts';

export const listCommands = (): string =>
  Object.entries(SUBJECTS)
    .map(([subject, commands]) => [`### ${subject}`, '', ...commands.map(listCommand)].join('\n'))
    .join('\n\n');

const listCommand = ({ usage, options, command }: OperatorCommand): string => {
  const described = options.filter(({ description }) => description !== '');
  return [
    wrapItem(`- ${formatCode(usage)}:`),
    ...command.description().split('\n'),
    ...described.map(({ long = '', description }) => `${formatCode(long)} ${description}.`),
  ].join('\n  ');
};
