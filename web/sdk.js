export { DiscordSDK } from "@discord/embedded-app-sdk";
