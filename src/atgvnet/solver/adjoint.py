"""The gradient of the unrolled iteration, again as one pass over the rows of a tile.

Nothing is kept from the forward pass. The rows are swept once more, what each iteration leaves behind is recorded in
a short history, and 2 N rows behind the front the adjoint iteration follows, last iteration first. Both marches need
no more than neighbouring rows, so the history of iteration k is 2 (N − k) + 2 rows long, whatever the map's height.

With x the gradient of the loss by a variable x, and s = 1 / (1 + τu λ ω), iteration k is undone row by row in two
steps. `pull` is the adjoint of `slope` and `height` followed by that of `dual_p` and `dual_q`:

    p ← p + T w,  w = −τu α1 ∇(s u) + τv α1 v;        p ← J p;      e = σp α1 T p
    q ← q − τv α0 ∇v;                                 q ← J q

where J is the derivative of the projection, (1 − p pᵀ) / |p̃| outside the ball. `retire` then undoes ū and v̄,

    ū = −div e,   v̄ = −e − σq α0 div q

and mixes them into u and v with the θ of the iteration before.
"""

from atgvnet.solver.sweep import (
    MARGIN,
    P_SHRINK,
    PX,
    PY,
    Q_SHRINK,
    QXX,
    QXY,
    QYX,
    QYY,
    U_BAR,
    VX,
    VY,
    X_BAR,
    Y_BAR,
    Array,
    Span,
    U,
    advance,
    begin,
    kernel,
)

__all__ = ["ADJOINTS", "RECORDED", "backward"]

RECORDED = 14
(SU, GX, GY, U_OLD, X_OLD, Y_OLD, AX, AY, BXX, BXY, BYX, BYY, EX, EY, D_G, D_WEIGHT, D_XX, D_XY, D_YY) = range(19)
ADJOINTS = 19


@kernel
def slot(count: int, k: int, row: int) -> int:
    """Place in the history of a row of iteration k, whose ring has 2 (count − k) + 2 places."""
    return k * (2 * count + 3 - k) + row % (2 * (count - k) + 2)


@kernel
def record(ring: Array, here: int, history: Array, there: int, width: int) -> None:
    """Keep what an iteration left behind on a row."""
    for channel in range(RECORDED):
        for i in range(MARGIN - 1, MARGIN + width + 1):
            history[there, channel, i] = ring[here, channel, i]


@kernel
def load(adj: Array, here: int, grad: Array, row: int, col: int, width: int) -> None:
    """Start the adjoint of a row from the gradient by the result."""
    for channel in range(adj.shape[1]):
        for i in range(MARGIN - 1, MARGIN + width + 1):
            adj[here, channel, i] = 0
    for j in range(width):
        adj[here, U_OLD, MARGIN + j] = grad[row, col + j]


@kernel
def pull_p(
    adj: Array,
    here: int,
    below: int,
    history: Array,
    now: int,
    old: int,
    old_below: int,
    T: Array,
    row: int,
    col: int,
    lo: int,
    hi: int,
    step: Array,
    one: float,
) -> tuple[float, float, float]:
    """Through T p into p and on into ū and v̄; give the gradients by σp α1, τu α1 and τv α1."""
    zero = one - one
    rate, smooth, couple = step[0], step[2], step[5]
    by_rate, by_smooth, by_couple = zero, zero, zero
    for i in range(MARGIN + lo, MARGIN + hi):
        c = col + i - MARGIN
        txx, txy, tyy = T[0, row, c], T[1, row, c], T[2, row, c]
        px, py, shrink = history[now, PX, i], history[now, PY, i], history[now, P_SHRINK, i]
        rise_x, rise_y = adj[here, SU, i + 1] - adj[here, SU, i], adj[below, SU, i] - adj[here, SU, i]
        tpx, tpy = txx * px + txy * py, txy * px + tyy * py
        by_smooth -= rise_x * tpx + rise_y * tpy
        by_couple += adj[here, GX, i] * tpx + adj[here, GY, i] * tpy
        wx, wy = couple * adj[here, GX, i] - smooth * rise_x, couple * adj[here, GY, i] - smooth * rise_y
        ax, ay = adj[here, AX, i] + txx * wx + txy * wy, adj[here, AY, i] + txy * wx + tyy * wy
        radial = ax * px + ay * py if shrink < one else zero
        ax, ay = shrink * (ax - radial * px), shrink * (ay - radial * py)
        ex = history[old, U_BAR, i + 1] - history[old, U_BAR, i] - history[old, X_BAR, i]
        ey = history[old_below, U_BAR, i] - history[old, U_BAR, i] - history[old, Y_BAR, i]
        fx, fy = txx * ax + txy * ay, txy * ax + tyy * ay
        by_rate += fx * ex + fy * ey
        adj[here, AX, i], adj[here, AY, i] = ax, ay
        adj[here, EX, i], adj[here, EY, i] = rate * fx, rate * fy
        adj[here, D_XX, i] += wx * px + rate * ax * ex
        adj[here, D_XY, i] += wx * py + wy * px + rate * (ax * ey + ay * ex)
        adj[here, D_YY, i] += wy * py + rate * ay * ey
    return by_rate, by_smooth, by_couple


@kernel
def pull_q(
    adj: Array,
    here: int,
    below: int,
    history: Array,
    now: int,
    old: int,
    old_below: int,
    lo: int,
    hi: int,
    step: Array,
    one: float,
) -> tuple[float, float]:
    """Through q into v̄; give the gradients by σq α0 and τv α0."""
    zero = one - one
    smooth = step[4]
    by_rate, by_smooth = zero, zero
    for i in range(MARGIN + lo, MARGIN + hi):
        qxx, qxy, qyx, qyy = history[now, QXX, i], history[now, QXY, i], history[now, QYX, i], history[now, QYY, i]
        rise_xx, rise_xy = adj[here, GX, i + 1] - adj[here, GX, i], adj[below, GX, i] - adj[here, GX, i]
        rise_yx, rise_yy = adj[here, GY, i + 1] - adj[here, GY, i], adj[below, GY, i] - adj[here, GY, i]
        by_smooth -= rise_xx * qxx + rise_xy * qxy + rise_yx * qyx + rise_yy * qyy
        bxx, bxy = adj[here, BXX, i] - smooth * rise_xx, adj[here, BXY, i] - smooth * rise_xy
        byx, byy = adj[here, BYX, i] - smooth * rise_yx, adj[here, BYY, i] - smooth * rise_yy
        shrink = history[now, Q_SHRINK, i]
        radial = bxx * qxx + bxy * qxy + byx * qyx + byy * qyy if shrink < one else zero
        bxx, bxy = shrink * (bxx - radial * qxx), shrink * (bxy - radial * qxy)
        byx, byy = shrink * (byx - radial * qyx), shrink * (byy - radial * qyy)
        x, y = history[old, X_BAR, i], history[old, Y_BAR, i]
        by_rate += bxx * (history[old, X_BAR, i + 1] - x) + bxy * (history[old_below, X_BAR, i] - x)
        by_rate += byx * (history[old, Y_BAR, i + 1] - y) + byy * (history[old_below, Y_BAR, i] - y)
        adj[here, BXX, i], adj[here, BXY, i], adj[here, BYX, i], adj[here, BYY, i] = bxx, bxy, byx, byy
    return by_rate, by_smooth


@kernel
def retire_v(
    adj: Array,
    here: int,
    above: int,
    history: Array,
    now: int,
    old: int,
    lo: int,
    hi: int,
    rate: float,
    theta: float,
    one: float,
) -> float:
    """Out of v̄ into v and the v before; give the gradient by θ."""
    by_theta = one - one
    for i in range(MARGIN + lo, MARGIN + hi):
        x = adj[here, BXX, i] - adj[here, BXX, i - 1] + adj[here, BXY, i] - adj[above, BXY, i]
        y = adj[here, BYX, i] - adj[here, BYX, i - 1] + adj[here, BYY, i] - adj[above, BYY, i]
        x, y = -adj[here, EX, i] - rate * x, -adj[here, EY, i] - rate * y
        by_theta += x * (history[now, VX, i] - history[old, VX, i]) + y * (history[now, VY, i] - history[old, VY, i])
        gx, gy = adj[here, X_OLD, i] + x + theta * x, adj[here, Y_OLD, i] + y + theta * y
        adj[here, GX, i], adj[here, GY, i] = gx, gy
        adj[here, X_OLD, i], adj[here, Y_OLD, i] = gx - theta * x, gy - theta * y
    return by_theta


@kernel
def retire_u(
    adj: Array,
    here: int,
    above: int,
    history: Array,
    now: int,
    old: int,
    g: Array,
    weight: Array,
    row: int,
    col: int,
    lo: int,
    hi: int,
    data_u: float,
    theta: float,
    one: float,
) -> tuple[float, float]:
    """Out of ū into u, the u before, g and ω; give the gradients by τu λ and θ."""
    by_data = by_theta = one - one
    for i in range(MARGIN + lo, MARGIN + hi):
        c = col + i - MARGIN
        bar = adj[above, EY, i] - adj[here, EY, i] + adj[here, EX, i - 1] - adj[here, EX, i]
        u = history[now, U, i]
        by_theta += bar * (u - history[old, U, i])
        scaled = (adj[here, U_OLD, i] + bar + theta * bar) / (one + data_u * weight[row, c])
        pulled = scaled * (g[row, c] - u)
        by_data += weight[row, c] * pulled
        adj[here, D_WEIGHT, i] += data_u * pulled
        adj[here, D_G, i] += data_u * weight[row, c] * scaled
        adj[here, SU, i] = scaled
        adj[here, U_OLD, i] = scaled - theta * bar
    return by_data, by_theta


@kernel
def close(adj: Array, here: int, width: int, last: bool) -> None:
    """No flow leaves the map: e is 0 beyond the last column and row, once v̄ has used it there."""
    adj[here, EX, MARGIN + width - 1] = 0
    if last:
        for i in range(MARGIN, MARGIN + width):
            adj[here, EY, i] = 0


@kernel
def pull(
    adj: Array,
    here: int,
    below: int,
    history: Array,
    now: int,
    old: int,
    old_below: int,
    T: Array,
    row: int,
    col: int,
    cuts: Span,
    step: Array,
    one: float,
    d_step: Array,
    own: bool,
) -> None:
    """Undo the second half of an iteration on one row; add to `d_step` what the middle part of the columns gives."""
    for part in range(3):
        lo, hi = cuts[part], cuts[part + 1]
        by_p = pull_p(adj, here, below, history, now, old, old_below, T, row, col, lo, hi, step, one)
        by_q = pull_q(adj, here, below, history, now, old, old_below, lo, hi, step, one)
        if own and part == 1:
            d_step[0] += by_p[0]
            d_step[2] += by_p[1]
            d_step[5] += by_p[2]
            d_step[1] += by_q[0]
            d_step[4] += by_q[1]


@kernel
def retire(
    adj: Array,
    here: int,
    above: int,
    last: bool,
    history: Array,
    now: int,
    old: int,
    g: Array,
    weight: Array,
    row: int,
    col: int,
    cuts: Span,
    rate: float,
    step: Array,
    one: float,
    d_step: Array,
    own: bool,
) -> None:
    """Undo the over-relaxation on one row, and of the iteration before, the division by 1 + τu λ ω."""
    width = cuts[3]
    by_theta = one - one
    for part in range(3):
        x = retire_v(adj, here, above, history, now, old, cuts[part], cuts[part + 1], rate, step[6], one)
        by_theta += x if part == 1 else one - one
    close(adj, here, width, last)
    for part in range(3):
        lo, hi = cuts[part], cuts[part + 1]
        by_u = retire_u(adj, here, above, history, now, old, g, weight, row, col, lo, hi, step[3], step[6], one)
        if own and part == 1:
            d_step[3] += by_u[0]
            d_step[6] += by_u[1] + by_theta
    for channel in (SU, GX, GY):
        adj[here, channel, MARGIN + width] = adj[here, channel, MARGIN + width - 1]


@kernel
def finish(
    adj: Array,
    here: int,
    above: int,
    last: bool,
    d_g: Array,
    d_T: Array,
    d_weight: Array,
    row: int,
    col: int,
    cuts: Span,
) -> None:
    """Write the gradients of a row's own columns; g is u and ū of the start too."""
    close(adj, here, cuts[3], last)
    for j in range(cuts[1], cuts[2]):
        i, c = MARGIN + j, col + j
        bar = adj[above, EY, i] - adj[here, EY, i] + adj[here, EX, i - 1] - adj[here, EX, i]
        d_g[row, c] = adj[here, D_G, i] + adj[here, U_OLD, i] + bar
        d_weight[row, c] = adj[here, D_WEIGHT, i]
        d_T[0, row, c], d_T[1, row, c], d_T[2, row, c] = adj[here, D_XX, i], adj[here, D_XY, i], adj[here, D_YY, i]


@kernel
def backward(
    g: Array,
    T: Array,
    weight: Array,
    steps: Array,
    grad: Array,
    ring: Array,
    history: Array,
    adj: Array,
    d_g: Array,
    d_T: Array,
    d_weight: Array,
    d_steps: Array,
    outer: Span,
    inner: Span,
    one: float,
) -> None:
    """Sweep the rows and columns `outer`; write the gradients of `inner`, and what it adds to those of the steps."""
    top, bottom, left, right = outer
    count, slots, width = len(steps), len(ring) - 1, right - left
    cuts = (0, inner[2] - left, inner[3] - left, width)
    ring[slots] = 0
    adj[slots] = 0
    for wave in range(top, bottom + 2 * count + 1):
        if wave < bottom:
            begin(ring, wave % slots, g, wave, left, width)
            record(ring, wave % slots, history, slot(count, 0, wave), width)
        for n in range(count):
            row = wave - 1 - n
            if top <= row < bottom:
                here, last = row % slots, row == bottom - 1
                above = (row - 1) % slots if row > top else slots
                below = here if last else (row + 1) % slots
                advance(ring, here, above, below, last, g, T, weight, row, left, width, steps[n], one)
                record(ring, here, history, slot(count, n + 1, row), width)
        row, k = wave - count, count
        if top <= row < bottom:
            here, now, old = row % slots, slot(count, k, row), slot(count, k - 1, row)
            own = inner[0] <= row < inner[1]
            load(adj, here, grad, row, left, width)
            retire(adj, here, slots, False, history, now, old, g, weight, row, left, cuts,
                   one - one, steps[k - 1], one, d_steps[k - 1], own)  # fmt: skip
        for n in range(count):
            row, k = wave - count - 1 - n, count - n
            if not top <= row < bottom:
                continue
            here, last, own = row % slots, row == bottom - 1, inner[0] <= row < inner[1]
            above = (row - 1) % slots if row > top else slots
            below = here if last else (row + 1) % slots
            now, old = slot(count, k, row), slot(count, k - 1, row)
            old_below = old if last else slot(count, k - 1, row + 1)
            pull(
                adj,
                here,
                below,
                history,
                now,
                old,
                old_below,
                T,
                row,
                left,
                cuts,
                steps[k - 1],
                one,
                d_steps[k - 1],
                own,
            )
            if k > 1:
                retire(adj, here, above, last, history, old, slot(count, k - 2, row), g, weight, row, left, cuts,
                       steps[k - 1, 1], steps[k - 2], one, d_steps[k - 2], own)  # fmt: skip
            elif own:
                finish(adj, here, above, last, d_g, d_T, d_weight, row, left, cuts)
