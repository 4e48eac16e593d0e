import { defineModule } from '../../kit.js';
import { McpModule } from './mcp.module.js';

export const mcp = defineModule({ name: 'mcp', module: McpModule });
