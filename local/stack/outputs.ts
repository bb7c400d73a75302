/** The addresses and names of a running stack. */
export interface StackOutputs {
  api: string;
  token: string;
  dynamodbEndpoint: string;
  sqsEndpoint: string;
  eventsEndpoint: string;
  region: string;
  tableName: string;
  clickQueueUrl: string;
  clickDlqUrl: string;
  busName: string;
}
