import { parseOptions } from '../../cli/terminal/arguments.ts';
