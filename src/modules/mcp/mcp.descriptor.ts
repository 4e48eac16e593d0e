import { defineModule } from '../../platform/module.js';
import { McpModule } from './mcp.module.js';

export const mcp = defineModule({ name: 'mcp', module: McpModule });
