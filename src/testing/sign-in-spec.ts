/** A good spec but for two open points, in FR-001 and FR-002. */
export const SIGN_IN_SPEC = `# Feature Specification: Sign in

## User Scenarios & Testing

### User Story 1 - Sign in (Priority: P1)

As a developer I sign in with my token.

**Acceptance Scenarios**:

1. **Given** a valid token, **When** I sign in, **Then** I see my name.

### Edge Cases

- A token that has expired is refused with a message.

## Requirements

### Functional Requirements

- **FR-001**: The system MUST let a user sign in [NEEDS CLARIFICATION: with which scopes?]
- **FR-002**: The system MUST end a session after [NEEDS CLARIFICATION: how long?]

## Success Criteria

- **SC-001**: 95% of sign-ins take less than 2 seconds.
`;
