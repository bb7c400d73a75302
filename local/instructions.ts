import { styleText } from 'node:util';
import { poisonMessage, repeatedClick } from './real-messages.ts';
import type { StackOutputs } from './stack/stack.ts';

const code = 'docs';

/** What to try on a running stack, as commands to paste into a shell. */
export function formatInstructions(outputs: StackOutputs): string {
  const { api, token, sqsEndpoint, clickQueueUrl, clickDlqUrl } = outputs;
  const receive = {
    QueueUrl: clickDlqUrl,
    MaxNumberOfMessages: 10,
    // Looking takes nothing away from who comes next.
    VisibilityTimeout: 0,
    MessageSystemAttributeNames: ['All'],
  };
  return [
    title('First, in the shell where you paste the rest:'),
    `export API=${api}`,
    `export TOKEN=${token}`,
    `sqs() { curl -s ${sqsEndpoint} -H "x-amz-target: AmazonSQS.$1" -H 'content-type: application/x-amz-json-1.0' -d "$2"; echo; }`,
    title('Create a link'),
    `curl -s $API/links -H "authorization: Bearer $TOKEN" -d '{"url":"https://example.com/","code":"${code}"}'; echo`,
    title('Open it, as often as you like'),
    `curl -si $API/${code}`,
    title('Read its statistics'),
    `curl -s $API/links/${code}/stats -H "authorization: Bearer $TOKEN"; echo`,
    title('Send one click twice: it counts once'),
    sendMessage(clickQueueUrl, repeatedClick(code)),
    sendMessage(clickQueueUrl, repeatedClick(code)),
    title('Send a poison message (no code): after three attempts, 90 s, it is a dead letter'),
    sendMessage(clickQueueUrl, poisonMessage()),
    title('Look into the dead-letter queue'),
    `sqs ReceiveMessage ${quote(receive)}`,
  ].join('\n');
}

function sendMessage(QueueUrl: string, MessageBody: string): string {
  return `sqs SendMessage ${quote({ QueueUrl, MessageBody })}`;
}

function quote(value: object): string {
  return `'${JSON.stringify(value)}'`;
}

function title(text: string): string {
  return `\n${styleText('bold', `# ${text}`)}`;
}
